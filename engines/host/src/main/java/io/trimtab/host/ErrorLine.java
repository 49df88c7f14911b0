package io.trimtab.host;

/** Exceptions in one line, for messages. */
public final class ErrorLine {
  private ErrorLine() {}

  /** An exception's first line, or its kind. */
  public static String of(Throwable e) {
    String text = e.getMessage() == null ? "" : e.getMessage().strip();
    return text.isEmpty() ? e.getClass().getSimpleName() : text.split("\n", 2)[0].strip();
  }
}
