package io.trimtab.providers.cloud;

/** Messages of others, in one line. */
public final class Lines {
  private static final int SHOWN = 400;

  private Lines() {}

  /** What an exception says; its kind if it says nothing. */
  public static String of(Throwable problem) {
    String said = problem.getMessage();
    return said == null || said.isBlank() ? problem.getClass().getSimpleName() : of(said);
  }

  /** Text of an API, shortened. */
  public static String of(String text) {
    String line = text.strip().replaceAll("[\\s\\p{Cntrl}]+", " ");
    return line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line;
  }
}
