package io.trimtab.clikit;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.engineapi.metrics.MetricSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The cluster of a command: a mixin whose options come from the modules on the class path. */
@Command
public final class ClusterChoice {
  private final List<ClusterNaming> namings =
      CommandModules.all().flatMap(module -> module.namings().stream()).toList();

  private final List<ClusterAddition> additions =
      CommandModules.all().flatMap(module -> module.additions().stream()).toList();

  private final MetricsOption metrics = new MetricsOption();
  private ClusterHandle cluster;

  /**
   * Parses command line arguments.
   *
   * @param arguments for example {@code --zookeeper}, {@code zk1:2181}
   * @throws UserError for unknown or contradicting options
   */
  public static ClusterChoice of(List<String> arguments) {
    ClusterChoice choice = new ClusterChoice();
    CommandSpec spec = CommandSpec.create();
    choice.addOptions(spec);
    try {
      new CommandLine(spec).parseArgs(arguments.toArray(String[]::new));
    } catch (ParameterException e) {
      throw new UserError(e.getMessage(), e);
    }
    choice.refuseContradictions();
    return choice;
  }

  /** Adds the options that address a cluster to a command. */
  void addOptions(CommandSpec command) {
    for (ClusterNaming naming : namings) {
      command.addMixin(naming.option(), naming.options());
    }
    for (ClusterAddition addition : additions) {
      command.addMixin(addition.option(), CommandSpec.forAnnotatedObject(addition));
    }
    command.addMixin("--metrics", CommandSpec.forAnnotatedObject(metrics));
  }

  /**
   * Takes a cluster's name that the user has given without an option.
   *
   * @throws UserError if an option names a cluster as well
   */
  public void take(String name) {
    for (ClusterNaming naming : namings) {
      if (naming.given()) {
        throw new UserError(
            "%s and %s both name a cluster; give only one of them"
                .formatted(name, naming.option()));
      }
    }
    if (namings.stream().noneMatch(naming -> naming.take(name))) {
      throw new UserError("clusters have no names here: " + name);
    }
  }

  /** Whether the user has given a cluster. */
  public boolean named() {
    return namings.stream().anyMatch(ClusterNaming::given);
  }

  /** Whether the user has given something that is added to a cluster: metrics, or a provider. */
  public boolean extended() {
    return metrics.given() || additions.stream().anyMatch(ClusterAddition::given);
  }

  /** As {@link ClusterNaming#id()}. */
  public Optional<String> id() {
    return namings.stream().flatMap(naming -> naming.id().stream()).findFirst();
  }

  private List<ClusterNaming> refuseContradictions() {
    List<ClusterNaming> given = namings.stream().filter(ClusterNaming::given).toList();
    if (given.size() > 1) {
      throw new UserError(
          given.stream().map(ClusterNaming::option).collect(Collectors.joining(" and "))
              + (given.size() == 2 ? " both" : " all")
              + " name a cluster; give only one of them");
    }
    namings.forEach(ClusterNaming::check);
    return given;
  }

  /** The cluster, with what was added to it; not connected yet. */
  public ClusterHandle cluster() {
    if (cluster == null) {
      List<ClusterNaming> given = refuseContradictions();
      ClusterHandle found = given.isEmpty() ? guess() : given.get(0).cluster();
      for (ClusterAddition addition : additions) {
        found = addition.given() ? addition.to(found) : found;
      }
      cluster = found;
    }
    return cluster;
  }

  private ClusterHandle guess() {
    return namings.stream()
        .flatMap(naming -> naming.byDefault().stream())
        .findFirst()
        .orElseThrow(
            () ->
                new UserError(
                    "no cluster given; name one with "
                        + namings.stream()
                            .map(ClusterNaming::option)
                            .collect(Collectors.joining(" or "))
                        + namings.stream().map(ClusterNaming::hint).collect(Collectors.joining())));
  }

  /** The cluster as given by the user, for messages. */
  public String label() {
    return cluster().label();
  }

  /**
   * Starts and stops the cluster's nodes; empty if that is not possible.
   *
   * @param notices hears what a person has to do for it, one line each
   */
  public Optional<NodeProvider> provider(Consumer<String> notices) {
    return cluster().provider(notices);
  }

  /** As {@link ClusterHandle#provider(String, ClusterHandle.Look, Consumer)}. */
  public Optional<NodeProvider> provider(
      String mark, ClusterHandle.Look look, Consumer<String> notices) {
    return cluster().provider(mark, look, notices);
  }

  /** As {@link ClusterHandle#tables()}. */
  public ClusterTables tables() {
    return cluster().tables();
  }

  /** As {@link ClusterHandle#nodeWord()}. */
  public String nodeWord() {
    return cluster().nodeWord();
  }

  public Engine connect() throws EngineException {
    return metrics.connect(cluster());
  }

  /** Connects only with what the cluster keeps about its controllers. */
  public ControlAccess control() throws EngineException {
    return cluster().control();
  }

  /** The address for its clients. */
  public ClusterAddress address() {
    return cluster().address();
  }

  /**
   * Who tells of its nodes beside the database; nothing is asked yet.
   *
   * @throws UserError if a file that they need can't be used
   */
  public List<MetricSource> sources() {
    return metrics.sources(cluster());
  }

  /** As {@link ClusterHandle#check}. */
  public void check(Consumer<ConnectionStep> steps) {
    cluster().check(steps);
  }
}
