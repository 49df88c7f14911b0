package io.trimtab.controller.choice;

import java.util.List;

/** Proposes targets; whether they are worth it is not its concern. */
interface Generator {
  List<Candidate> propose(Layout now, Evaluator evaluator);
}
