package io.trimtab.calibrate;

import io.trimtab.clikit.CommandModule;
import java.util.List;

/** What measuring nodes adds to the command line. */
public final class CalibrateCommands implements CommandModule {

  @Override
  public List<Added> commands() {
    return List.of(
        new Added("", 110, ModelCommand.class), new Added("slo", 30, TableCommand.class));
  }
}
