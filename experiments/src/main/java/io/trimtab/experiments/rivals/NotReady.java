package io.trimtab.experiments.rivals;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs in a row whose clusters were not made ready. Once another one's is, they are failures of
 * their rivals; where those of several rivals are not, it is the machine, and none of them has had
 * its try.
 */
final class NotReady {
  /** Rivals in a row whose clusters were not made ready: then it is none of theirs. */
  private static final int RIVALS_MOST = 3;

  private final List<RivalRun> waiting = new ArrayList<>();

  /** One more; whether the next rival's cluster may be tried. */
  boolean add(RivalRun run) {
    waiting.add(run);
    return waiting.stream().map(RivalRun::rival).distinct().count() < RIVALS_MOST;
  }

  /** Those in a row so far, as failures of their rivals; from now on there are none. */
  List<RivalRun> taken() {
    List<RivalRun> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }
}
