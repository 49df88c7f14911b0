package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.QueryConsistencyException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import io.trimtab.engineapi.EngineException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a ring again that has just lost or gained a node: for some seconds too few of those answer
 * that must.
 */
final class Patience {
  private static final Logger LOG = LoggerFactory.getLogger(Patience.class);

  private Patience() {}

  /** Something that may be asked more than once. */
  interface Question<T> {
    /**
     * @param again whether what was asked before may have been done although nobody said so
     */
    T ask(boolean again) throws EngineException;
  }

  /**
   * Asks until there is an answer, be it an error of another kind.
   *
   * @param most after which the last error is thrown
   * @param pause between two questions
   */
  static <T> T ask(Duration most, Duration pause, Question<T> question) throws EngineException {
    long begunNs = System.nanoTime();
    boolean again = false;
    while (true) {
      try {
        return question.ask(again);
      } catch (QueryConsistencyException | UnavailableException | DriverTimeoutException e) {
        if (System.nanoTime() - begunNs >= most.toNanos()) {
          throw e;
        }
        LOG.info("asked again, because {}", Failures.line(e));
        again = true;
      }
      try {
        Thread.sleep(pause.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new EngineException("interrupted", e);
      }
    }
  }
}
