package io.trimtab.controller.agreement;

/**
 * How many nodes a cluster's agreements need.
 *
 * @param nodes fewer are too few; 0 where there is no agreement
 * @param told how agreements are kept, and why so many are needed, a clause
 * @param brief the second of it alone
 * @param setting the key that controls it; empty if there is none
 * @param isMissed whether one is missed, so that as many must come about; else no more than these
 *     may be given back
 */
public record Floor(int nodes, String told, String brief, String setting, boolean isMissed) {
  /** There is no agreement. */
  public static final Floor NONE = new Floor(0, "", "", "", false);

  /** All nodes that there are. */
  static Floor all(int present, String why, String setting) {
    return new Floor(present, why, why, setting, false);
  }
}
