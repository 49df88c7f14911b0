package io.trimtab.controller.agreement;

/**
 * How many nodes there should be while an agreement is missed.
 *
 * @param nodes more than there are
 * @param sure whether tables or costs say that more than the present nodes are needed
 * @param why what is missed, what was measured, and what tells the number, a clause
 * @param brief the need in a few words, a clause
 */
public record Wanted(int nodes, boolean sure, String why, String brief) {
  /**
   * The same as far as there may be so many; as it is where none may be added.
   *
   * @param most nodes that there may be
   */
  public Floor upTo(int most, int present) {
    return new Floor(most > present ? Math.min(most, nodes) : nodes, why, brief, "", true);
  }
}
