package io.trimtab.cli.node;

import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.plan.Counted;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Option;

/** Whether a command gives machines back, or only shows them; a person is asked before. */
public final class GivingBack {
  @Option(names = "--act", description = "Give them back, after a question; else only show them.")
  private boolean act;

  @Option(names = "--yes", description = "With --act: do not ask.")
  private boolean yes;

  /**
   * To be called before anything else.
   *
   * @throws UserError if the options contradict each other
   */
  public void check() {
    if (yes && !act) {
      throw new UserError("--yes goes with --act only");
    }
  }

  /**
   * Asks, where that was not waived, and waits for the answer; says so if nothing is to be done.
   *
   * @param machines how many would be given back
   * @throws UserError if nobody is there to answer
   */
  public boolean agreed(Terminal terminal, int machines) {
    if (!act) {
      terminal.line("nothing was changed; to do it: add --act");
      return false;
    }
    if (yes) {
      return true;
    }
    terminal.line("give back %s? (y/n)", Counted.of(machines, "machine"));
    if (answer().strip().matches("(?i)y(es)?")) {
      return true;
    }
    terminal.line("nothing was changed");
    return false;
  }

  private static String answer() {
    try {
      String answer =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
      if (answer == null) {
        throw new UserError("nobody answers; without a terminal, --act needs --yes");
      }
      return answer;
    } catch (IOException e) {
      throw new UserError("the answer can't be read: " + e.getMessage(), e);
    }
  }
}
