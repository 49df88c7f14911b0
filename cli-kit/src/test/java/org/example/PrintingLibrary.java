package org.example;

/** Prints what it catches, as no library should. */
public final class PrintingLibrary {
  private PrintingLibrary() {}

  public static void fail(String message) {
    new IllegalStateException(message, new IllegalArgumentException("below")).printStackTrace();
  }
}
