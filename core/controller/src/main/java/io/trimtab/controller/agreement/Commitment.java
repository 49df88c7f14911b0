package io.trimtab.controller.agreement;

import io.trimtab.controller.agreement.Compliance.Verdict;
import java.util.List;

/**
 * An agreement that was made before, as far as it is known how it is kept.
 *
 * @param name of the agreement
 * @param verdict how it is kept
 * @param what was told of it, for display; may be empty
 */
public record Commitment(String name, Verdict verdict, String what) {
  /**
   * Why no further agreement is accepted at present: "admission control by estimating overall
   * resource utilization and level of satisfaction of requirements for current commitments"
   * (Chalkiadaki 2013, ch. 3). One that nobody tells of is no reason.
   *
   * @return a sentence without an end for each that is missed
   */
  public static List<String> broken(List<Commitment> made) {
    return made.stream()
        .filter(commitment -> commitment.verdict() == Verdict.MISSED)
        .map(
            commitment ->
                "%s is missed%s; nothing further is accepted until it is kept"
                    .formatted(commitment.name(), commitment.what()))
        .toList();
  }
}
