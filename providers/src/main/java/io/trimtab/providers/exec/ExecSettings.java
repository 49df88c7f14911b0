package io.trimtab.providers.exec;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.providers.Check;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Settings of a provider that is a program.
 *
 * @param program its path; a relative one is of the settings file's folder
 * @param arguments before the verb; default none
 * @param limit time limit of the verbs that only tell or note something, in [1 s, 1 h]; default 1
 *     min. The others have that of their action
 * @param keep for how long what it said of its capacity is used again, in [0 s, 1 h]; default 30 s
 */
public record ExecSettings(String program, List<String> arguments, Duration limit, Duration keep)
    implements ProviderSettings {
  public ExecSettings {
    Check.given("program", program);
    arguments = arguments == null ? List.of() : List.copyOf(arguments);
    Duration hour = Duration.ofHours(1);
    limit = Check.within("limit", limit, Duration.ofMinutes(1), Duration.ofSeconds(1), hour);
    keep = Check.within("keep", keep, Duration.ofSeconds(30), Duration.ZERO, hour);
  }

  @Override
  public ExecSettings in(Path folder) {
    return new ExecSettings(folder.resolve(program).normalize().toString(), arguments, limit, keep);
  }

  @Override
  public NodeProvider provider(ProviderContext context) {
    Path file = Path.of(program);
    if (!Files.isRegularFile(file)) {
      throw new UserError("provider.exec.program: " + program + ": no such file");
    }
    if (!Files.isExecutable(file)) {
      throw new UserError(
          "provider.exec.program: %s can't be executed; run: chmod +x %s"
              .formatted(program, program));
    }
    return new ExecProvider(this, new Program(file, arguments), context);
  }
}
