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

  /** It works. */
  public static ConnectionStep works(String what, String detail) {
    return new ConnectionStep(what, true, detail, "");
  }

  /** It does not. */
  public static ConnectionStep fails(String what, String detail, String mend) {
    return new ConnectionStep(what, false, detail, mend);
  }

  /** For a person, in one line. */
  public String text() {
    String found = detail.isEmpty() ? "" : ": " + detail;
    return works ? "ok      " + what + found : "FAILED  " + what + found + "; to mend it: " + mend;
  }
}
