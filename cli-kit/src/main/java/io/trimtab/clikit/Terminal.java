package io.trimtab.clikit;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Help.Ansi;

/**
 * Output of a command: results to {@code out}, messages to {@code err}. On a terminal a status line
 * or table replaces the previous one; in a pipe or file there are no control characters.
 * Thread-safe.
 */
public final class Terminal {
  private static final String CLEAR_BELOW = "\033[J";

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean outIsTty;
  private final boolean errIsTty;
  private boolean color;

  /** Lines of the block on {@code out} that the next block replaces. */
  private int replaceable;

  public Terminal(Writer out, Writer err, boolean outIsTty, boolean errIsTty, boolean color) {
    this.out = new PrintWriter(out, true);
    this.err = new PrintWriter(err, true);
    this.outIsTty = outIsTty;
    this.errIsTty = errIsTty;
    this.color = color && outIsTty;
  }

  /** The process's streams; the launcher sets {@code trimtab.tty} to those that are terminals. */
  public static Terminal system() {
    String tty = System.getProperty("trimtab.tty", "");
    String noColor = System.getenv("NO_COLOR");
    return new Terminal(
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        tty.contains("out"),
        tty.contains("err"),
        noColor == null || noColor.isEmpty());
  }

  public PrintWriter out() {
    return out;
  }

  public PrintWriter err() {
    return err;
  }

  public synchronized void noColor(boolean off) {
    color &= !off;
  }

  public synchronized Ansi ansi() {
    return color ? Ansi.ON : Ansi.OFF;
  }

  public boolean isTty() {
    return outIsTty;
  }

  /** One line of a result. */
  public synchronized void line(String text) {
    clear();
    out.println(text);
  }

  public synchronized void line(String format, Object... arguments) {
    line(String.format(java.util.Locale.ROOT, format, arguments));
  }

  /** Prints lines that the next block, or line, replaces on a terminal; elsewhere they stay. */
  public synchronized void block(String text) {
    clear();
    out.print(text.endsWith("\n") ? text : text + "\n");
    out.flush();
    replaceable = outIsTty ? (int) text.stripTrailing().lines().count() : 0;
  }

  /** Keeps the last block. */
  public synchronized void keep() {
    replaceable = 0;
  }

  private void clear() {
    if (replaceable > 0) {
      out.print("\033[" + replaceable + "F" + CLEAR_BELOW);
      replaceable = 0;
    }
  }

  /** Shows the current activity; the next status replaces it on a terminal. */
  public synchronized void status(String text) {
    if (errIsTty) {
      err.print("\r\033[K" + text);
      err.flush();
    } else {
      err.println(text);
    }
  }

  /** Ends a sequence of statuses. */
  public synchronized void statusDone() {
    if (errIsTty) {
      err.print("\r\033[K");
      err.flush();
    }
  }

  /** Prints an error in one line. */
  public synchronized void problem(String text) {
    statusDone();
    keep();
    out.flush();
    err.println("trimtab: " + text);
  }

  public synchronized void flush() {
    out.flush();
    err.flush();
  }
}
