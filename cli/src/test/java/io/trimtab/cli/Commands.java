package io.trimtab.cli;

import io.trimtab.clikit.Terminal;
import java.io.Writer;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The commands, without running them. */
public final class Commands {
  private Commands() {}

  public static CommandLine all() {
    Writer nowhere = Writer.nullWriter();
    return new Main(new Terminal(nowhere, nowhere, false, false, false)).commandLine();
  }

  /** Whether the words are a command with options that it has. */
  public static boolean parse(String... words) {
    try {
      all().parseArgs(words);
      return true;
    } catch (ParameterException e) {
      return false;
    }
  }
}
