package io.trimtab.clikit;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.slf4j.LoggerFactory;

/**
 * Standard error without the stack traces that libraries print there by themselves, which go to the
 * log (with {@code --debug}): HBase's client prints one for each lookup that fails, thousands of
 * lines while the server of hbase:meta is down. What ends a thread, and what we print, still shows.
 */
public final class LibraryTraces extends PrintStream {
  private LibraryTraces(PrintStream out) {
    super(out, true, StandardCharsets.UTF_8);
  }

  /** As standard error would be with a stream below it. */
  static PrintStream over(PrintStream out) {
    return new LibraryTraces(out);
  }

  /** From now on, for the whole process. */
  public static void toLog() {
    System.setErr(over(System.err));
  }

  @Override
  public void println(Object line) {
    if (!isLibrarys()) {
      super.println(line);
    } else if (line instanceof Throwable thrown) {
      // Not before it is needed: the log must have been started.
      LoggerFactory.getLogger(LibraryTraces.class).debug("a library printed", thrown);
    }
  }

  /** Whether the caller is {@link Throwable#printStackTrace()}, called by a library. */
  private static boolean isLibrarys() {
    String printer = Throwable.class.getName();
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .map(StackWalker.StackFrame::getClassName)
                    .dropWhile(name -> !name.startsWith(printer))
                    .dropWhile(name -> name.startsWith(printer))
                    .findFirst())
        .filter(name -> !name.startsWith("java.") && !name.startsWith("io.trimtab."))
        .isPresent();
  }
}
