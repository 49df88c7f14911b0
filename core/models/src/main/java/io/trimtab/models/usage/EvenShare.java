package io.trimtab.models.usage;

/** What nodes would use if they shared a load out evenly. */
public final class EvenShare {
  private EvenShare() {}

  /**
   * Usage of each of some nodes, if what others use now were shared out evenly among them.
   *
   * @param idle usage of a node that is asked for nothing, in [0, 1); 0 where it is not known,
   *     which says too much where nodes become fewer
   * @param sum usage of all nodes that there are
   * @param present how many these are
   * @param then how many there would be, &gt; 0; a part of one where it does less than the others
   */
  public static double usage(double idle, double sum, double present, double then) {
    return idle + (sum - present * idle) / then;
  }
}
