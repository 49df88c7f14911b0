package io.trimtab.contract.secure;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import java.util.List;

/** What a snapshot of a cluster lacks. */
final class Gaps {
  private static final int LOOKS = 60;

  private Gaps() {}

  /** A master that was restarted is not known to all for some seconds. */
  static List<String> afterAWhile(Engine engine) throws EngineException, InterruptedException {
    List<String> gaps = engine.snapshot().gaps();
    for (int look = 0; look < LOOKS && !gaps.isEmpty(); look++) {
      Thread.sleep(1_000);
      gaps = engine.snapshot().gaps();
    }
    return gaps;
  }
}
