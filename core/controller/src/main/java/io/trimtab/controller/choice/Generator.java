package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.Layout;
import java.util.List;

/** Proposes targets; whether they are worth it is not its concern. */
interface Generator {
  /**
   * A target that could be chosen.
   *
   * @param title what is done, as an operator says it: "move partitions"
   */
  record Candidate(String title, Layout layout) {}

  List<Candidate> propose(Layout now, Evaluator evaluator);
}
