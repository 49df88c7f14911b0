package io.trimtab.clikit;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Standard error without the stack traces that libraries print there by themselves: HBase's client
 * prints one for each lookup that fails, thousands of lines while the server of hbase:meta is down.
 * They go to the log, their first line always and the rest with {@code --debug}. What the JDK and
 * we print still shows, and so does all before the log was started.
 */
public final class LibraryTraces extends PrintStream {
  private static final List<String> OTHERS =
      List.of("java.", "javax.", "jdk.", "sun.", "com.sun.", "io.trimtab.");

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
    if (!Log.isStarted() || !isLibrarys()) {
      super.println(line);
    } else if (line instanceof Throwable thrown) {
      Logger log = LoggerFactory.getLogger(LibraryTraces.class);
      log.info("a library printed {}", Log.oneLine(thrown.toString()));
      log.debug("what it printed", thrown);
    }
  }

  /** Whether {@link Throwable#printStackTrace()} is the caller, called by a library. */
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
        .filter(name -> OTHERS.stream().noneMatch(name::startsWith))
        .isPresent();
  }
}
