package io.trimtab.cli.slo;

import io.trimtab.cli.control.Autopilot;
import io.trimtab.cli.node.NodeList;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.DurationConverter;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.formats.SettingsFile;
import io.trimtab.formats.Sla;
import io.trimtab.models.capacity.Provisioner.Answer;
import io.trimtab.models.capacity.Provisioner.Choice;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.runtime.provision.FoundedCluster;
import io.trimtab.runtime.provision.Provisioned;
import io.trimtab.runtime.provision.Provisioning;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** From an agreement to a cluster that can keep it. */
@Command(
    name = "provision",
    description = {
      "Makes the cluster that an agreement needs; starts its nodes only with --act.",
      "The nodes that the tables say are started through the provider, one after the other, and",
      "the agreement's table is created. Then it tells how the agreement is kept; with --watch an",
      "autopilot keeps it at once. If it is killed, or a node can't be started, what was started",
      "is kept, and the same command goes on. Without a provider it prints a person's steps."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab slo provision shop.yaml --table zipf.csv",
      "  trimtab slo provision shop.yaml --table zipf.csv --cassandra 10.0.0.4"
          + " --provider provider.yaml",
      "  trimtab slo provision shop.yaml --table zipf.csv --cassandra 10.0.0.4"
          + " --provider provider.yaml --act"
    })
final class SloProvision implements Callable<Integer> {
  private static final int COPIES = 3;

  private final Terminal terminal;

  @Mixin private SloCommand.Tables tables;
  @Mixin private ClusterChoice choice;

  @Parameters(paramLabel = "AGREEMENT", description = "YAML.")
  private Path file;

  @Option(
      names = "--node-type",
      paramLabel = "TYPE",
      description = "The tables' name for the provider's nodes; needed if they have several.")
  private String nodeType;

  @Option(
      names = "--copies",
      paramLabel = "N",
      description =
          "Copies of the table's data in each data centre; default: 3, or the number of nodes.")
  private Integer copies;

  @Option(
      names = "--limit",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "30m",
      description = "Time limit for the start of each node; default: ${DEFAULT-VALUE}.")
  private Duration limit;

  @Option(names = "--act", description = "Do it; without it, only print what would be done.")
  private boolean act;

  @Option(
      names = "--watch",
      description = "With --act: keep the agreement from then on, until stopped.")
  private boolean watch;

  SloProvision(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException {
    if (watch && !act) {
      throw new UserError("--watch goes with --act only");
    }
    Sla sla = Sla.read(file);
    if (!choice.named()) {
      if (choice.extended()) {
        throw new UserError(
            "where the cluster is to be reached is missing: give its address, as --cassandra");
      }
      return byHand(sla, choice(sla));
    }
    ProvisionStore store = new ProvisionStore(sla.name());
    Optional<Provisioned> known = store.read();
    String mark = known.map(Provisioned::mark).orElseGet(() -> mark(sla));
    try (FoundedCluster cluster = new FoundedCluster(choice::connect, mark, Clock.systemUTC())) {
      Optional<NodeProvider> provider = choice.provider(mark, cluster::look, terminal::line);
      if (provider.isEmpty()) {
        return byHand(sla, choice(sla));
      }
      Provisioned state =
          known.isPresent()
              ? same(known.get(), sla)
              : fresh(sla, mark, store, cluster, provider.get());
      if (state.step() != Provisioned.Step.RUNNING) {
        // Not whether it is enough: a machine may have been started that is not kept yet.
        NodeCapacity capacity = provider.get().capacity();
        terminal.line(ProvisionText.plan(state, choice.nodeWord(), NodeList.text(capacity)));
        if (!act) {
          terminal.line("nothing was changed; to do it: add --act");
          return 0;
        }
        state = made(state, known, store, cluster, provider.get());
      }
      store.writeSettings(state, ProvisionText.settings(file, tables.files(), state.nodeType()));
      terminal.line(ProvisionText.next(state, store.settings(state)));
      if (!watch) {
        return 0;
      }
    }
    return new Autopilot(terminal, choice, SettingsFile.read(settings(store)))
        .run(true, 0, false, false);
  }

  private static Path settings(ProvisionStore store) {
    return store.settings(store.read().orElseThrow());
  }

  /** Of this cluster only, also where another of the agreement's name is made elsewhere. */
  private static String mark(Sla sla) {
    return "slo-%s-%08x".formatted(sla.name(), ThreadLocalRandom.current().nextInt());
  }

  /** The cheapest cluster of the provider's nodes, or of any without a provider. */
  private Choice choice(Sla sla) {
    Answer answer =
        tables.plan(
            file, sla, type -> nodeType == null || type.equals(nodeType) ? Integer.MAX_VALUE : 0);
    return answer
        .chosen()
        .orElseThrow(
            () ->
                new UserError(
                    "%s: no measured cluster%s meets it%s"
                        .formatted(
                            file,
                            nodeType == null ? "" : " of " + nodeType + " nodes",
                            answer
                                .best()
                                .map(best -> "; nearest: " + SloText.choice(best))
                                .orElse(""))));
  }

  private int copies(Choice chosen) {
    if (copies == null) {
      return Math.min(COPIES, chosen.nodes());
    }
    if (copies < 1 || copies > chosen.nodes()) {
      throw new UserError(
          "--copies must be in [1, %d], as many as nodes, not %d"
              .formatted(chosen.nodes(), copies));
    }
    return copies;
  }

  private int byHand(Sla sla, Choice chosen) {
    told(sla, chosen);
    terminal.line(
        ProvisionText.steps(
            chosen,
            table(sla),
            copies(chosen),
            ProvisionText.settings(file, tables.files(), chosen.nodeType())));
    return 0;
  }

  private void told(Sla sla, Choice chosen) {
    terminal.line(sla.name() + ": " + SloText.objective(sla.toObjective()));
    terminal.line("chosen: " + SloText.choice(chosen));
  }

  private static String table(Sla sla) {
    return sla.table() == null ? "" : sla.table();
  }

  /** A cluster of which nothing is there; all that can be refused is refused now. */
  private Provisioned fresh(
      Sla sla, String mark, ProvisionStore store, FoundedCluster cluster, NodeProvider provider)
      throws EngineException {
    store.refuseShared(choice.label());
    Set<String> types = tables.nodeTypes(file, sla);
    if (nodeType == null && types.size() > 1) {
      throw new UserError(
          "--node-type is missing: it must tell which nodes the provider starts, one of "
              + String.join(", ", types));
    }
    Choice chosen = choice(sla);
    told(sla, chosen);
    if (sla.table() != null) {
      choice.tables().check(sla.table());
    }
    Provisioned state =
        new Provisioned(
            sla.name(),
            mark,
            sla.yaml(),
            chosen.nodeType(),
            chosen.nodes(),
            table(sla),
            copies(chosen),
            choice.label(),
            List.of(),
            Provisioned.Step.STARTING);
    refuseTooFew(state, provider);
    Provisioning.refuseTaken(cluster, choice.label());
    return state;
  }

  /** A cluster that was begun, or is there. */
  private Provisioned same(Provisioned known, Sla sla) {
    if (known.step() == Provisioned.Step.RELEASING) {
      throw new UserError(
          "%s: its machines are being given back; end that first: trimtab slo release %s"
              .formatted(known.name(), known.name()));
    }
    if (!known.agreement().equals(sla.yaml()) || !known.address().equals(choice.label())) {
      throw new UserError(
          ("%s: has a cluster already, at %s and for %s; give that back first (trimtab slo release"
                  + " %s), or give this agreement another name")
              .formatted(
                  known.name(),
                  known.address(),
                  known.agreement().equals(sla.yaml())
                      ? "the same agreement"
                      : "another agreement of that name",
                  known.name()));
    }
    return known;
  }

  private static void refuseTooFew(Provisioned state, NodeProvider provider)
      throws EngineException {
    NodeCapacity capacity = provider.capacity();
    if (capacity.spare() < state.nodes()) {
      throw new UserError(
          "%s: %d nodes of type %s are needed, and the provider has too few: %s"
              .formatted(state.name(), state.nodes(), state.nodeType(), NodeList.text(capacity)));
    }
  }

  /**
   * Makes it, or goes on.
   *
   * @param known what this command has read: the provider marks by it what it starts
   */
  private Provisioned made(
      Provisioned state,
      Optional<Provisioned> known,
      ProvisionStore store,
      FoundedCluster cluster,
      NodeProvider provider)
      throws EngineException {
    try (ProvisionStore.Held held = store.hold()) {
      store.refuseChanged(known);
      if (known.isEmpty()) {
        store.begin(state);
      }
      return new Provisioning(
              state,
              cluster,
              provider,
              (table, number) -> choice.tables().create(table, number),
              store::keep,
              terminal::line,
              SystemPorts.ports(),
              FaultPoints.NONE)
          .run(limit);
    }
  }
}
