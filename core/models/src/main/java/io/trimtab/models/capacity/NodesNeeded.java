package io.trimtab.models.capacity;

/**
 * How many nodes something needs, and how sure that is.
 *
 * @param nodes most likely, ≥ 0
 * @param least at the good end of what is known, in [0, nodes]
 * @param most at the bad end of what is known, ≥ nodes; {@link #UNKNOWN} where that is not known
 */
public record NodesNeeded(int nodes, int least, int most) {
  /** That there may be any number more. */
  public static final int UNKNOWN = Integer.MAX_VALUE;

  public static final NodesNeeded NONE = new NodesNeeded(0, 0, 0);

  public NodesNeeded {
    if (least < 0 || least > nodes || most < nodes) {
      throw new IllegalArgumentException(
          "%d nodes must be between %d and %d".formatted(nodes, least, most));
    }
  }

  /** Of both, where neither has a part of the other's nodes. */
  public NodesNeeded plus(NodesNeeded other) {
    return new NodesNeeded(
        nodes + other.nodes,
        least + other.least,
        most == UNKNOWN || other.most == UNKNOWN ? UNKNOWN : most + other.most);
  }

  /** Whether it can be no other number. */
  public boolean isExact() {
    return least == most;
  }

  /** Whether its interval is the narrower one; none that is open at its end is. */
  public boolean isSurerThan(NodesNeeded other) {
    return most != UNKNOWN && (other.most == UNKNOWN || most - least < other.most - other.least);
  }
}
