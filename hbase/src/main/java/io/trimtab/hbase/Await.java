package io.trimtab.hbase;

import io.trimtab.engineapi.EngineException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * Waits for an effect, within a limit and until the thread is interrupted. A master that is away
 * for a while is waited for; what no retry can mend ends the wait at once.
 */
final class Await {

  /** Tries, and tells whether the effect is in force. */
  @FunctionalInterface
  interface Attempt {
    boolean done() throws IOException, EngineException;
  }

  private Await() {}

  /**
   * @param what for the message: "moving t/1234abcd to host:16020"
   */
  static void until(String what, Duration limit, Duration pause, Attempt attempt)
      throws EngineException {
    long endNs = System.nanoTime() + limit.toNanos();
    String last = "";
    while (true) {
      try {
        if (attempt.done()) {
          return;
        }
        last = "";
      } catch (IOException e) {
        if (Thread.currentThread().isInterrupted()) {
          throw interrupted(what, e);
        }
        if (hopeless(e)) {
          throw new EngineException(what + ": " + line(e), e);
        }
        last = ": " + line(e);
      }
      if (System.nanoTime() - endNs >= 0) {
        throw new EngineException(
            what + " has not ended after " + limit.toMillis() / 1000.0 + " s" + last);
      }
      pause(what, Math.min(pause.toNanos(), Math.max(1, endNs - System.nanoTime())));
    }
  }

  /** Waits for something that HBase does by itself; its failure is the exception's cause. */
  static void ended(String what, Future<Void> done, Duration limit) throws EngineException {
    try {
      done.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new EngineException(what + ": " + line(e.getCause()), e);
    } catch (TimeoutException e) {
      throw new EngineException(what + " has not ended after " + limit.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(what, e);
    }
  }

  private static void pause(String what, long ns) throws EngineException {
    try {
      sleep(ns);
    } catch (InterruptedIOException e) {
      throw interrupted(what, e);
    }
  }

  static void sleep(long ns) throws InterruptedIOException {
    try {
      TimeUnit.NANOSECONDS.sleep(ns);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  private static EngineException interrupted(String what, Exception cause) {
    return new EngineException(what + ": interrupted", cause);
  }

  /** A region in transition, a server that stops and a master that starts are worth a retry. */
  private static boolean hopeless(IOException e) {
    return e instanceof TableNotFoundException
        || e instanceof TableNotEnabledException
        || e instanceof AccessDeniedException;
  }

  /** An exception's first line, without what servers append of their stacks. */
  static String line(Throwable e) {
    Throwable cause = e;
    while (cause instanceof RetriesExhaustedException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String text = cause.getMessage() == null ? "" : cause.getMessage().strip();
    String first = text.isEmpty() ? "" : text.split("\n", 2)[0].strip();
    String name = cause.getClass().getSimpleName();
    return first.isEmpty() ? name : first.contains(name) ? first : name + ": " + first;
  }
}
