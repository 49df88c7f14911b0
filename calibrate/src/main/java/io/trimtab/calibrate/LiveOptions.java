package io.trimtab.calibrate;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.DurationConverter;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A node of a live cluster that is measured instead of an isolated one. */
final class LiveOptions {
  @Option(
      names = "--node",
      paramLabel = "NODE",
      description = {
        "Measure this node of a live HBase cluster instead of an isolated one. Its partitions are",
        "moved to the others meanwhile. Without --act the command shows what would be done."
      })
  private String node;

  @Option(names = "--act", description = "Take the node out of service and measure it.")
  private boolean act;

  @Option(
      names = "--put-back",
      description = {
        "Put back what an earlier command has taken out of service that was killed, and delete",
        "its tables; measure nothing."
      })
  private boolean putBack;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = {
        "Autopilot settings as YAML, whose limits hold when the node is taken out of service;",
        "default: the defaults."
      })
  private Path config;

  @Option(
      names = "--period",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = {
        "How long to observe the load before it is decided where partitions go; default: 10s."
      })
  private Duration period = Duration.ofSeconds(10);

  @Mixin private ClusterChoice choice;

  /** Whether it is about a live cluster. */
  boolean given() {
    return node != null || putBack;
  }

  /** Refuses what has no meaning, or another one, with or without a live node. */
  void check() {
    if (putBack && (node != null || act)) {
      throw new UserError("--put-back measures nothing; leave --node and --act out");
    }
    if (given()) {
      return;
    }
    if (act || config != null || choice.named()) {
      throw new UserError(
          "--node is missing: which node of the cluster is to be measured; without a cluster,"
              + " --act and --config an isolated one is");
    }
  }

  boolean act() {
    return act;
  }

  boolean putBack() {
    return putBack;
  }

  NodeId node() {
    return new NodeId(node);
  }

  Optional<Path> config() {
    return Optional.ofNullable(config);
  }

  Duration period() {
    return period;
  }

  ClusterChoice cluster() {
    return choice;
  }
}
