package io.trimtab.cli.node;

import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Asks a person before machines are given back. */
public final class Question {
  private Question() {}

  /**
   * Asks, and waits for the answer.
   *
   * @throws UserError if nobody is there to answer
   */
  public static boolean agreed(Terminal terminal, String question) {
    terminal.line(question + " (y/n)");
    try {
      String answer =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
      if (answer == null) {
        throw new UserError("nobody answers; without a terminal, --act needs --yes");
      }
      return answer.strip().matches("(?i)y(es)?");
    } catch (IOException e) {
      throw new UserError("the answer can't be read: " + e.getMessage(), e);
    }
  }
}
