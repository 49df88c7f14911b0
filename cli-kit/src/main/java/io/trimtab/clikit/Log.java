package io.trimtab.clikit;

import io.trimtab.config.FileProblem;
import io.trimtab.config.Home;
import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The log file. It must be started before the first logger is created. */
public final class Log {
  private static final String FILE = "trimtab.log";
  private static final String LEVEL = "trimtab.level";
  private static final String PID = "trimtab.pid";

  private Log() {}

  /** Sets what {@code logback.xml} reads. */
  public static void start(boolean debug) {
    Path folder = file().getParent();
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UserError(folder + ": can't be made: " + FileProblem.of(e), e);
    }
    System.setProperty(FILE, file().toString());
    System.setProperty(LEVEL, debug ? "DEBUG" : "INFO");
    System.setProperty(PID, Long.toString(ProcessHandle.current().pid()));
  }

  /** Whether {@link #start} was called. */
  static boolean isStarted() {
    return System.getProperty(FILE) != null;
  }

  public static boolean debug() {
    return "DEBUG".equals(System.getProperty(LEVEL));
  }

  public static Path file() {
    return Home.folder().resolve("logs").resolve("trimtab.log");
  }

  /** The message reduced to one line. */
  public static String oneLine(String message) {
    return String.valueOf(message).strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
