package io.trimtab.hbase;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.hbase.PluginClient.OutdatedPluginException;
import io.trimtab.hbase.PluginClient.PluginAccessException;
import io.trimtab.hbase.pages.RefusedPageException;
import io.trimtab.host.Interrupts;
import io.trimtab.host.Retry;
import java.io.IOException;
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
 * What HBase's errors say, and which of them another try may mend: a master that is away for a
 * while is waited for.
 */
public final class HBaseErrors {
  public static final Retry RETRY =
      new Retry(e -> e instanceof IOException io && !hopeless(io), HBaseErrors::line);

  private HBaseErrors() {}

  /** Waits for an asynchronous HBase operation; its failure is the exception's cause. */
  public static void ended(String what, Future<Void> done, Duration limit) throws EngineException {
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

  /** An operation that is given up. */
  public static EngineException failed(String what, IOException e) {
    String mend = e instanceof RefusedPageException page ? ConnectionStep.MEND + page.mend() : "";
    return Interrupts.in(e)
        ? interrupted(what, e)
        : new EngineException(what + ": " + line(e) + mend, e);
  }

  private static EngineException interrupted(String what, Exception cause) {
    return new EngineException(what + ": interrupted", cause);
  }

  /** A region in transition, a server that stops and a master that starts are worth a retry. */
  private static boolean hopeless(IOException e) {
    return e instanceof TableNotFoundException
        || e instanceof TableNotEnabledException
        || e instanceof AccessDeniedException
        || e instanceof OutdatedPluginException
        || e instanceof PluginAccessException;
  }

  /** An exception's first line, without what servers append of their stacks. */
  public static String line(Throwable e) {
    Throwable cause = e;
    while (cause instanceof RetriesExhaustedException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String text = cause.getMessage() == null ? "" : cause.getMessage().strip();
    String first = text.isEmpty() ? "" : text.split("\n", 2)[0].strip();
    if (cause instanceof PluginAccessException || cause instanceof RefusedPageException) {
      // Its text is written for operators.
      return first;
    }
    String name = cause.getClass().getSimpleName();
    return first.isEmpty() ? name : first.contains(name) ? first : name + ": " + first;
  }
}
