package io.trimtab.host;

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;

/**
 * Interrupts that a client has made an exception of. Some leave the thread's flag clear, as HBase's
 * {@code BlockingRpcCallback} does, so that whoever goes on after the exception would lose them.
 */
public final class Interrupts {
  private Interrupts() {}

  /**
   * Whether the calling thread was interrupted, by its flag or by an error that it has caught; its
   * flag is set then, so that nothing more is begun.
   */
  public static boolean in(Throwable error) {
    if (tells(error)) {
      Thread.currentThread().interrupt();
    }
    return Thread.currentThread().isInterrupted();
  }

  /**
   * A time-out is a kind of InterruptedIOException, too. One with a cause of another kind comes
   * from a server, whose own thread was interrupted.
   */
  private static boolean tells(Throwable error) {
    if (error instanceof InterruptedException) {
      return true;
    }
    return error instanceof InterruptedIOException
        && !(error instanceof SocketTimeoutException)
        && (error.getCause() == null || tells(error.getCause()));
  }
}
