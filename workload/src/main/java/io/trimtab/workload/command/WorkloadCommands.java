package io.trimtab.workload.command;

import io.trimtab.clikit.CommandModule;
import io.trimtab.workload.WorkloadSpec;
import java.util.List;
import java.util.Map;

/** What the load generator adds to the command line. */
public final class WorkloadCommands implements CommandModule {

  @Override
  public List<Added> commands() {
    return List.of(new Added("", 70, WorkloadCommand.class));
  }

  @Override
  public Map<String, FileReader> fileKinds() {
    return Map.of("workload", WorkloadSpec::read);
  }
}
