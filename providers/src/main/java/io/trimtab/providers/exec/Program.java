package io.trimtab.providers.exec;

import io.trimtab.engineapi.EngineException;
import io.trimtab.providers.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The program of a provider, with what comes before the verb. */
record Program(Path file, List<String> arguments) {
  /** Exit code: nothing can be added now. */
  static final int NO_MACHINE = 3;

  /** For messages. */
  String title() {
    return "provider program " + file.getFileName();
  }

  /**
   * What the program wrote to its standard output.
   *
   * @param input for its standard input
   * @throws EngineException if it fails or does not end within the limit, with its last words
   */
  String run(String verb, String input, Duration limit) throws EngineException {
    List<String> command = new ArrayList<>(List.of(file.toString()));
    command.addAll(arguments);
    command.add(verb);
    String title = title() + " " + verb;
    Command.Result result = Command.run(title, command, input, limit);
    if (result.code() == NO_MACHINE) {
      throw new EngineException(title + ": no machine is left" + result.lastWords());
    }
    if (result.code() != 0) {
      throw new EngineException(
          title + ": failed with exit code " + result.code() + result.lastWords());
    }
    return result.out();
  }
}
