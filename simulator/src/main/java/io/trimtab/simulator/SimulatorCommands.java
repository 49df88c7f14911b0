package io.trimtab.simulator;

import io.trimtab.clikit.CommandModule;
import io.trimtab.simulator.replicas.SimCommand;
import java.util.List;

/** What the simulator adds to the command line. */
public final class SimulatorCommands implements CommandModule {
  @Override
  public List<Added> commands() {
    return List.of(new Added("", 190, FuzzCommand.class), new Added("", 195, SimCommand.class));
  }
}
