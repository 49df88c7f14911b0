package io.trimtab.cli;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.hbase.HBaseTarget;
import io.trimtab.lab.cluster.HBaseLab;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * Which cluster a command is about. The one place where an engine's adapter is chosen; commands
 * know the ports only.
 */
final class EngineChoice {
  @Option(
      names = "--lab",
      paramLabel = "NAME",
      description = "A lab of this machine; may be left out while there is only one.")
  private String lab;

  @Option(
      names = "--zookeeper",
      paramLabel = "QUORUM",
      description = "An HBase cluster's ZooKeeper: host[,host…][:port].")
  private String zookeeper;

  /** Whether the user named a cluster at all. */
  boolean named() {
    return lab != null || zookeeper != null;
  }

  /** The lab, unless the cluster is named by its ZooKeeper. */
  Optional<HBaseLab> lab() {
    if (zookeeper != null) {
      if (lab != null) {
        throw new UserError("--lab and --zookeeper both name a cluster; give one of them");
      }
      return Optional.empty();
    }
    return Optional.of(HBaseLab.attach(lab == null ? onlyLab() : lab));
  }

  private static String onlyLab() {
    List<String> names = HBaseLab.names();
    if (names.isEmpty()) {
      throw new UserError(
          "which cluster? no lab is up; name one with --zookeeper, or start: trimtab lab up hbase");
    }
    if (names.size() > 1) {
      throw new UserError("which lab? there are " + String.join(", ", names) + "; give --lab");
    }
    return names.get(0);
  }

  /** What a client's HBase configuration must say. */
  Map<String, String> clientProperties() {
    return lab()
        .map(HBaseLab::clientProperties)
        .orElseGet(() -> HBaseTarget.of(zookeeper).client());
  }

  /** How the user named it. */
  String label() {
    return lab().map(l -> "lab " + l.config().name()).orElse(zookeeper);
  }

  /** What can start and stop the cluster's nodes; nothing can, for clusters that are not labs. */
  Optional<NodeProvider> provider() {
    return lab().map(HBaseLab::provider);
  }

  HBaseEngine connect() throws EngineException {
    return HBaseEngine.connect(clientProperties());
  }
}
