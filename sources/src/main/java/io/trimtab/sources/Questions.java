package io.trimtab.sources;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a source several questions at a time. What is answered counts, whatever becomes of the rest.
 * Thread-safe.
 */
public final class Questions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Questions.class);
  private static final Duration IDLE = Duration.ofMinutes(1);

  private final String source;
  private final Duration limit;
  private final ThreadPoolExecutor readers;
  private String toldLast = "";

  /**
   * @param source for messages
   * @param limit of all questions together
   * @param atOnce how many are asked at a time
   */
  public Questions(String source, Duration limit, int atOnce) {
    this.source = source;
    this.limit = limit;
    this.readers =
        new ThreadPoolExecutor(
            atOnce,
            atOnce,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, source + "-reader");
              thread.setDaemon(true);
              return thread;
            });
    readers.allowCoreThreadTimeOut(true);
  }

  /**
   * The answers, in the order of the questions.
   *
   * @throws IOException if there is none, with what the first question failed by
   */
  public <K, V> Map<K, V> ask(Map<K, Callable<V>> questions) throws IOException {
    List<K> keys = List.copyOf(questions.keySet());
    Map<K, V> answered = new LinkedHashMap<>();
    IOException first = null;
    try {
      List<Future<V>> answers =
          readers.invokeAll(
              List.copyOf(questions.values()), limit.toMillis(), TimeUnit.MILLISECONDS);
      for (int i = 0; i < answers.size(); i++) {
        try {
          answered.put(keys.get(i), answers.get(i).get());
        } catch (ExecutionException | CancellationException e) {
          LOG.debug("{} does not tell of {}", source, keys.get(i), e);
          first = first == null ? failure(e) : first;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("metric source " + source + ": interrupted");
    }
    if (answered.isEmpty() && first != null) {
      throw first;
    }
    tell(first == null ? "" : first.getMessage());
    return answered;
  }

  private IOException failure(Exception e) {
    if (e.getCause() instanceof IOException known) {
      return known;
    }
    String problem =
        e instanceof CancellationException
            ? "no answer within " + limit.toMillis() + " ms"
            : String.valueOf(e.getCause());
    return new IOException("metric source " + source + ": " + problem, e);
  }

  /** Once, until it is another problem or none. */
  private synchronized void tell(String problem) {
    if (!problem.isEmpty() && !problem.equals(toldLast)) {
      LOG.warn("not all is answered: {}", problem);
    }
    toldLast = problem;
  }

  @Override
  public void close() {
    readers.shutdownNow();
  }
}
