package io.trimtab.cli.usage;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.Terminal;
import io.trimtab.controller.observe.Observation;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.formats.ObservationFile;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Keeps what is seen of a cluster. */
@Command(
    name = "snapshot",
    description = {
      "Observes a cluster's load and writes a snapshot of it to a file.",
      "The file has nodes, partitions, request rates, split keys and block histograms. It has no",
      "data except keys: the bounds of ranges and the split keys."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab snapshot --lab lab --out seen.json",
      "  trimtab snapshot --zookeeper zk1,zk2,zk3 --period 60s --out seen.json",
      "  trimtab whatif --snapshot seen.json --model model.json --remove-node node1:16020"
    })
public final class SnapshotCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ClusterChoice choice;
  @Mixin private LoadSample sample;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "File to write the snapshot to, as JSON.")
  private Path out;

  SnapshotCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException, InterruptedException {
    Observation.Usable seen = sample.withBlocks(terminal, choice);
    ObservationFile.write(out, seen);
    String waits =
        WaitSource.phrase(seen.snapshot().liveNodes().stream().map(NodeState::usage).toList());
    terminal.line(
        "%s: %d nodes, %d partitions, %d of them with block histograms%s"
            .formatted(
                out,
                seen.snapshot().nodes().size(),
                seen.snapshot().partitions().size(),
                seen.blocks().size(),
                waits.isEmpty() ? "" : "; I/O wait from " + waits));
    return 0;
  }
}
