package io.trimtab.engineapi.plan;

/** Numbers with their noun and verb, in the singular where there is one of it. */
public final class Counted {
  private Counted() {}

  /** For example "1 node", "2 nodes". */
  public static String of(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  /** For example "1 node is", "2 nodes are". */
  public static String are(long count, String noun) {
    return of(count, noun) + (count == 1 ? " is" : " are");
  }

  /** For example "1 of 3 nodes is", "2 of 3 nodes are". */
  public static String areOf(long count, long all, String noun) {
    return count + " of " + of(all, noun) + (count == 1 ? " is" : " are");
  }
}
