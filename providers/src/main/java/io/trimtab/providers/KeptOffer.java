package io.trimtab.providers;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a provider offers. Asked for at every decision, and does not change that fast, so an answer
 * is used again for a while; so is that there is none. Thread-safe.
 */
public final class KeptOffer {
  private static final Logger LOG = LoggerFactory.getLogger(KeptOffer.class);

  /** Asks a provider. */
  @FunctionalInterface
  public interface Asking {
    NodeCapacity now() throws EngineException;
  }

  private final Duration keep;
  private final String untold;
  private final Asking asking;
  private NodeCapacity known;
  private long knownNs;

  /**
   * @param keep for how long an answer is used again, ≥ 0
   * @param untold why nothing can be added or given back while there is no answer, a clause
   */
  public KeptOffer(Duration keep, String untold, Asking asking) {
    this.keep = keep;
    this.untold = untold;
    this.asking = asking;
  }

  /** The last answer, or a new one if that is too old. */
  public synchronized NodeCapacity get() {
    if (known == null || System.nanoTime() - knownNs >= keep.toNanos()) {
      try {
        known = asking.now();
      } catch (EngineException e) {
        LOG.warn("no node can be added or given back: {}", untold, e);
        // These do not pass by themselves: whoever is to mend it is told what was said.
        boolean stays =
            e instanceof UnusableAnswerException || e instanceof UntrustedServiceException;
        known = NodeCapacity.untold(stays ? e.getMessage() : untold);
      }
      knownNs = System.nanoTime();
    }
    return known;
  }

  /** The provider is being asked for a change: the last answer is not used again. */
  public synchronized void forget() {
    known = null;
  }
}
