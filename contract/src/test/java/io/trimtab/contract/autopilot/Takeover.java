package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.Engine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Two controllers with folders of their own, as on two hosts: the first carries out a plan that was
 * begun, and is lost; the second takes over.
 */
final class Takeover {
  /** The stated bound after a silent loss of the lock, 8 s, and 1 s to measure it. */
  static final double LAST_BEGAN_MAX_S = 9;

  /** The stated bound of a takeover. */
  static final double RESUMED_MAX_S = 30;

  private static final int SECONDS = 120;

  /** How the first one is lost. */
  enum Loss {
    /** Killed, and its folder is gone, as with its host. */
    HOST,
    /** It stands still until the second one has finished, and wakes up. */
    FREEZE,
    /** Nothing passes between it and ZooKeeper any more. */
    CUT
  }

  /**
   * What came of it.
   *
   * @param lastBeganS seconds from the loss until the first one's last action began; negative if
   *     none began after it
   * @param resumedS seconds from the loss until the second one began an action of the plan, or
   *     ended it
   * @param endedS seconds from the loss until the second one had ended the plan
   */
  record Result(Loss loss, double lastBeganS, double resumedS, double endedS, String outcome) {}

  private final Path home;
  private final String lab;
  private final Engine engine;

  Takeover(Path home, String lab, Engine engine) {
    this.home = home;
    this.lab = lab;
    this.engine = engine;
  }

  /**
   * Loses the first controller some time after its first action has begun.
   *
   * @param zookeeper the port of an HBase cluster's ZooKeeper; needed for {@link Loss#CUT}
   */
  Result run(Loss loss, long afterMs, int zookeeper) throws Exception {
    Path first = host("first");
    Path second = host("second");
    Path firstSaid = first.resolve("said");
    Path secondSaid = second.resolve("said");
    try (CutConnection connection = new CutConnection(zookeeper)) {
      String[] args =
          loss == Loss.CUT
              ? new String[] {lab, Integer.toString(connection.port())}
              : new String[] {lab};
      Process a = KilledControllers.start(StandbyController.class, first, firstSaid, args);
      Process b = KilledControllers.start(StandbyController.class, second, secondSaid, lab);
      try {
        await(firstSaid, "ready");
        await(secondSaid, "ready");
        a.getOutputStream().close();
        await(firstSaid, "started");
        b.getOutputStream().close();
        await(secondSaid, "waiting");
        TimeUnit.MILLISECONDS.sleep(afterMs);
        assertThat(said(firstSaid, "plan")).as("the plan goes on: %s", text(firstSaid)).isEmpty();
        long lostMs = System.currentTimeMillis();
        switch (loss) {
          case HOST -> {
            a.destroyForcibly().waitFor();
            remove(first.resolve("clusters"));
          }
          case FREEZE -> signal(a, "-STOP");
          case CUT -> connection.cut();
        }
        String ended = await(secondSaid, "plan");
        if (loss == Loss.FREEZE) {
          signal(a, "-CONT");
        }
        // Time enough for the first one to do something wrong.
        await(secondSaid, "idle");
        engine.shared().requestStop("test");
        assertThat(b.waitFor(SECONDS, TimeUnit.SECONDS)).as(text(secondSaid)).isTrue();
        if (loss == Loss.FREEZE) {
          assertThat(a.waitFor(SECONDS, TimeUnit.SECONDS)).as(text(firstSaid)).isTrue();
        }
        return new Result(
            loss,
            said(firstSaid, "started").map(l -> seconds(l, lostMs)).orElse(-1.0),
            seconds(all(secondSaid, "started").findFirst().orElse(ended), lostMs),
            seconds(ended, lostMs),
            ended.split(" ", 2)[1]);
      } finally {
        a.destroyForcibly().waitFor();
        b.destroyForcibly().waitFor();
      }
    }
  }

  /** Lets a controller go on with the plan until some time after its first action. */
  private static void begin(Process controller, Path said, long afterMs) throws Exception {
    await(said, "ready");
    controller.getOutputStream().close();
    await(said, "started");
    TimeUnit.MILLISECONDS.sleep(afterMs);
    assertThat(said(said, "plan")).as("the plan goes on: %s", text(said)).isEmpty();
  }

  /**
   * Asks a controller to stop, in the cluster and from elsewhere, while it carries out a plan.
   *
   * @return seconds from the request until its last action began; negative if none began after it
   */
  double stop(long afterMs) throws Exception {
    Path only = host("stopped");
    Path said = only.resolve("said");
    Process controller = KilledControllers.start(StandbyController.class, only, said, lab);
    try {
      begin(controller, said, afterMs);
      long askedMs = System.currentTimeMillis();
      engine.shared().requestStop("test");
      assertThat(await(said, "plan")).contains("stop");
      assertThat(controller.waitFor(SECONDS, TimeUnit.SECONDS)).as(text(said)).isTrue();
      return seconds(said(said, "started").orElseThrow(), askedMs);
    } finally {
      controller.destroyForcibly().waitFor();
    }
  }

  /**
   * Fills the disk on which a controller keeps its journal, while it carries out a plan.
   *
   * @return what it said when it ended
   */
  String fillDisk(long afterMs) throws Exception {
    Path only = host("full");
    Path said = only.resolve("said");
    Path small = Files.createDirectories(only.resolve("clusters"));
    run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small.toString());
    try {
      Process controller = KilledControllers.start(StandbyController.class, only, said, lab);
      try {
        begin(controller, said, afterMs);
        fill(small.resolve("filler"));
        String failed = await(said, "failed");
        assertThat(controller.waitFor(SECONDS, TimeUnit.SECONDS)).as(text(said)).isTrue();
        return failed;
      } finally {
        controller.destroyForcibly().waitFor();
      }
    } finally {
      run("umount", small.toString());
    }
  }

  /** Until not one byte more fits. */
  private static void fill(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (int size = 64 << 10; size > 0; ) {
        try {
          channel.write(ByteBuffer.allocate(size));
        } catch (IOException e) {
          size /= 2;
        }
      }
    }
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor()).as("%s", Arrays.toString(command)).isZero();
  }

  /** A folder that knows the lab and nothing else. */
  private Path host(String name) throws IOException {
    Path folder = home.resolve("hosts").resolve(name);
    remove(folder);
    Files.createDirectories(folder);
    Files.createSymbolicLink(folder.resolve("labs"), home.resolve("labs"));
    return folder;
  }

  private static void remove(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (var files = Files.walk(folder)) {
        List<Path> deepestFirst = files.sorted(java.util.Comparator.reverseOrder()).toList();
        for (Path file : deepestFirst) {
          Files.delete(file);
        }
      }
    }
  }

  private static double seconds(String line, long sinceMs) {
    return (Long.parseLong(line.split(" ", 2)[0]) - sinceMs) / 1000.0;
  }

  private static String text(Path said) throws IOException {
    return Files.exists(said) ? Files.readString(said) : "nothing";
  }

  /** The last line that begins with this word. */
  private static Optional<String> said(Path file, String word) throws IOException {
    return all(file, word).reduce((one, other) -> other);
  }

  private static Stream<String> all(Path file, String word) throws IOException {
    return Arrays.stream(text(file).split("\n"))
        .filter(line -> line.matches("\\d+ " + word + "\\b.*"));
  }

  private static String await(Path file, String word) throws Exception {
    for (int i = 0; i < SECONDS * 10; i++) {
      Optional<String> line = said(file, word);
      if (line.isPresent()) {
        return line.get();
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    throw new AssertionError("it never said '" + word + "': " + text(file));
  }

  private static void signal(Process process, String signal) throws Exception {
    run("kill", signal, "" + process.pid());
  }
}
