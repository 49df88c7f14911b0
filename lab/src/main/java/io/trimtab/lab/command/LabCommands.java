package io.trimtab.lab.command;

import io.trimtab.clikit.ClusterNaming;
import io.trimtab.clikit.CommandModule;
import io.trimtab.lab.cluster.LabConfig;
import java.util.List;
import java.util.Map;

/** What labs add to the command line. */
public final class LabCommands implements CommandModule {

  @Override
  public List<Added> commands() {
    return List.of(new Added("", 60, LabCommand.class));
  }

  @Override
  public List<ClusterNaming> namings() {
    return List.of(new LabNaming());
  }

  @Override
  public Map<String, FileReader> fileKinds() {
    return Map.of("lab", FileReader.strict(LabConfig::read));
  }

  @Override
  public List<String> versions() {
    return List.of(
        "lab: HBase "
            + org.apache.hadoop.hbase.util.VersionInfo.getVersion()
            + ", Hadoop "
            + org.apache.hadoop.util.VersionInfo.getVersion());
  }
}
