package io.trimtab.workload.command;

import io.trimtab.clikit.CommandModule;
import io.trimtab.workload.WorkloadSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What the load generator adds to the command line. */
public final class WorkloadCommands implements CommandModule {

  @Override
  public List<Added> commands() {
    return List.of(new Added("", 70, WorkloadCommand.class));
  }

  @Override
  public Map<String, Function<Path, Object>> fileKinds() {
    return Map.of("workload", WorkloadSpec::read);
  }
}
