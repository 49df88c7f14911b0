package io.trimtab.controller.knownbad;

import java.io.FileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/** One class for each way in which a decision could depend on more than its arguments. */
public final class Impure {
  private Impure() {}

  /** Knows the time. */
  public static final class AsksTheClock {
    public Instant decide() {
      return Instant.now();
    }
  }

  /** Knows the uptime. */
  public static final class CountsNanoseconds {
    public long decide() {
      return System.nanoTime();
    }
  }

  /** Throws dice that nobody can throw again. */
  public static final class HasNoSeed {
    public int decide() {
      return new Random().nextInt();
    }
  }

  /** Throws dice of its thread. */
  public static final class BorrowsRandomness {
    public int decide() {
      return ThreadLocalRandom.current().nextInt();
    }
  }

  /** Reads a file the new way. */
  public static final class ReadsAFile {
    public String decide() throws IOException {
      return Files.readString(Path.of("decision"));
    }
  }

  /** Reads a file the old way. */
  public static final class OpensAFile {
    public int decide() throws IOException {
      try (FileReader reader =
          new FileReader("decision", java.nio.charset.StandardCharsets.UTF_8)) {
        return reader.read();
      }
    }
  }

  /** Lets another thread decide. */
  public static final class StartsAThread {
    public void decide(Runnable decision) {
      new Thread(decision).start();
    }
  }
}
