package io.trimtab.engineapi.connect;

/**
 * One thing that a controller needs of a connection, and whether it works.
 *
 * @param what in a few words: "TLS with 10.0.0.1:9042"
 * @param works whether it does
 * @param detail what was found, in one line; may be empty where it works
 * @param mend the one thing that would mend it, in one line; empty where it works
 */
public record ConnectionStep(String what, boolean works, String detail, String mend) {
  /** Stands between a problem and what mends it, where one line tells both. */
  public static final String MEND = "; to mend it: ";

  /** It works. */
  public static ConnectionStep works(String what, String detail) {
    return new ConnectionStep(what, true, detail, "");
  }

  /**
   * It does not.
   *
   * @param detail may be a line that says itself what mends it, after {@link #MEND}; whoever wrote
   *     it knows more than the caller
   * @param mend what does if the detail does not say it
   */
  public static ConnectionStep fails(String what, String detail, String mend) {
    int said = detail.lastIndexOf(MEND);
    return said < 0
        ? new ConnectionStep(what, false, detail, mend)
        : new ConnectionStep(
            what, false, detail.substring(0, said), detail.substring(said + MEND.length()));
  }

  /** For a person, in one line. */
  public String text() {
    String found = detail.isEmpty() ? "" : ": " + detail;
    return works ? "ok      " + what + found : "FAILED  " + what + found + MEND + mend;
  }
}
