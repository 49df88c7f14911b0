package io.trimtab.runtime.knownbad;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** One class for each way around the runtime's ports. */
public final class TouchesTheMachine {
  private TouchesTheMachine() {}

  /** Knows the time of day. */
  public static final class AsksTheClock {
    public Instant step() {
      return Instant.now();
    }
  }

  /** Has a clock of its own. */
  public static final class BringsAClock {
    public Clock step() {
      return Clock.systemUTC();
    }
  }

  /** Measures by itself. */
  public static final class CountsNanoseconds {
    public long step() {
      return System.nanoTime();
    }
  }

  /** Lets real time pass. */
  public static final class Sleeps {
    public void step() throws InterruptedException {
      Thread.sleep(1);
    }
  }

  /** Lets real time pass in other words. */
  public static final class SleepsInUnits {
    public void step() throws InterruptedException {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** Has threads of its own. */
  public static final class BringsThreads {
    public ExecutorService step() {
      return Executors.newCachedThreadPool();
    }
  }

  /** Knows its process. */
  public static final class AsksForProcesses {
    public long step() {
      return ProcessHandle.current().pid();
    }
  }
}
