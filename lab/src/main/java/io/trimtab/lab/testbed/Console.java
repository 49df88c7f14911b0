package io.trimtab.lab.testbed;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * Progress for a person who watches: a line a step with the time since the start, and between steps
 * one line that is rewritten on a terminal, or printed every ten seconds into a file or pipe.
 */
public final class Console {
  private static final long PIPE_EVERY_NANOS = 10_000_000_000L;
  private static final int WIDTH = 118;

  private final PrintStream out;
  private final boolean terminal;
  private final String prefix;
  private final long start = System.nanoTime();
  private long lastLive;
  private boolean liveShown;

  public Console(PrintStream out, boolean terminal) {
    this(out, terminal, "");
  }

  private Console(PrintStream out, boolean terminal, String prefix) {
    this.out = out;
    this.terminal = terminal;
    this.prefix = prefix;
  }

  /** Of one of several that report to the same person. */
  public Console of(String name) {
    return new Console(out, terminal, name + ": ");
  }

  public synchronized void step(String text) {
    clear();
    out.printf("[%s] %s%s%n", elapsed(), prefix, text);
    out.flush();
  }

  public synchronized void live(String text) {
    long now = System.nanoTime();
    if (!terminal && now - lastLive < PIPE_EVERY_NANOS) {
      return;
    }
    lastLive = now;
    String line = "[" + elapsed() + "]   " + prefix + text;
    line = line.length() > WIDTH ? line.substring(0, WIDTH) : line;
    if (terminal) {
      out.print("\r" + line + " ".repeat(WIDTH - line.length()));
      liveShown = true;
    } else {
      out.println(line);
    }
    out.flush();
  }

  /** How many records of a table have been loaded, as {@code Loader.load} tells it. */
  public void loaded(long done, long of) {
    live(String.format(Locale.ROOT, "loaded %,d of %,d records", done, of));
  }

  public synchronized void print(String text) {
    clear();
    out.println(text);
    out.flush();
  }

  private void clear() {
    if (liveShown) {
      out.print("\r" + " ".repeat(WIDTH) + "\r");
      liveShown = false;
    }
  }

  private String elapsed() {
    Duration d = Duration.ofNanos(System.nanoTime() - start);
    return String.format(Locale.ROOT, "%02d:%02d", d.toMinutes(), d.toSecondsPart());
  }
}
