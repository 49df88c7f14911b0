package io.trimtab.testkit.load;

/**
 * Clients of a table that each wait for the answer before they ask again (a closed loop): how much
 * they ask for depends on how soon they are answered.
 *
 * @param clients how many, ≥ 1
 * @param operation what one operation asks for on average: requests of each kind, not a rate; not
 *     nothing
 * @param thinkSeconds between an answer and the next operation, ≥ 0: also what an operation takes
 *     elsewhere than on the nodes
 * @param mostPerSecond operations a second that all of them ask for together, &gt; 0; infinite
 *     where nothing limits them
 */
public record ClosedClients(
    int clients, Access operation, double thinkSeconds, double mostPerSecond) {
  public ClosedClients {
    if (clients < 1 || !(thinkSeconds >= 0) || !(mostPerSecond > 0)) {
      throw new IllegalArgumentException("clients must be >= 1, times >= 0, a limit > 0");
    }
    if (!(operation.requests() > 0)) {
      throw new IllegalArgumentException("an operation must ask for something");
    }
  }

  /** Who ask again at once, as often as they are answered. */
  public static ClosedClients of(int clients, Access operation) {
    return new ClosedClients(clients, operation, 0, Double.POSITIVE_INFINITY);
  }

  public ClosedClients thinking(double seconds) {
    return new ClosedClients(clients, operation, seconds, mostPerSecond);
  }

  public ClosedClients atMost(double perSecond) {
    return new ClosedClients(clients, operation, thinkSeconds, perSecond);
  }
}
