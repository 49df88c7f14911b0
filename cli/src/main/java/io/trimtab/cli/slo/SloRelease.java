package io.trimtab.cli.slo;

import io.trimtab.cli.node.GivingBack;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.DurationConverter;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.runtime.provision.FoundedCluster;
import io.trimtab.runtime.provision.Provisioned;
import io.trimtab.runtime.provision.Releasing;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gives back what an agreement's cluster runs on. */
@Command(
    name = "release",
    description = {
      "Gives back the machines of an agreement's cluster, with --act.",
      "Those that slo provision has started, and those that an autopilot has added since. Their",
      "data are kept, unless the provider's settings say that they are elsewhere. Refused while an",
      "autopilot is in charge of the cluster. If it is killed, the same command goes on."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab slo release shop --cassandra 10.0.0.4 --provider provider.yaml",
      "  trimtab slo release shop --cassandra 10.0.0.4 --provider provider.yaml --act"
    })
final class SloRelease implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ClusterChoice choice;

  @Mixin private GivingBack givingBack;

  @Parameters(paramLabel = "NAME", description = "The agreement's name.")
  private String name;

  @Option(
      names = "--drop-table",
      description = "Delete the agreement's table with its data first; by default data are kept.")
  private boolean drop;

  @Option(
      names = "--unreachable",
      description = "Give back a cluster that does not answer: no autopilot is in charge of it.")
  private boolean unreachable;

  @Option(
      names = "--limit",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "10m",
      description = "Time limit for each machine; default: ${DEFAULT-VALUE}.")
  private Duration limit;

  SloRelease(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException {
    givingBack.check();
    ProvisionStore store = new ProvisionStore(name);
    Provisioned known = known(store);
    if (!choice.named() || !choice.label().equals(known.address())) {
      throw new UserError(
          "%s: its cluster was made at %s; give the same address".formatted(name, known.address()));
    }
    try (FoundedCluster cluster =
        new FoundedCluster(choice::connect, known.mark(), Clock.systemUTC())) {
      NodeProvider provider =
          choice
              .provider(known.mark(), cluster::look, terminal::line)
              .orElseThrow(
                  () ->
                      new UserError(
                          name + ": name the provider that has started it, with --provider"));
      List<String> machines = releasing(known, store, cluster, provider).machines();
      terminal.line(text(known, machines));
      if (!givingBack.agreed(terminal, machines.size())) {
        return 0;
      }
      try (ProvisionStore.Held held = store.hold()) {
        // The answer took its time, and the provider looks by the mark that was read before it.
        Provisioned now = known(store);
        if (!now.mark().equals(known.mark())) {
          throw new UserError(
              name + ": was given back and made anew meanwhile; give the command again");
        }
        releasing(now, store, cluster, provider).run(drop, unreachable, limit);
        store.forget(now);
      }
      terminal.line("%s: all machines are given back", name);
      return 0;
    }
  }

  private Provisioned known(ProvisionStore store) {
    return store
        .read()
        .orElseThrow(
            () ->
                new UserError(
                    "no cluster was made for an agreement %s from this host; there are: %s"
                        .formatted(
                            name,
                            ProvisionStore.all().isEmpty()
                                ? "none"
                                : String.join(", ", ProvisionStore.all()))));
  }

  private String text(Provisioned known, List<String> machines) {
    String data =
        drop && !known.table().isEmpty()
            ? "table " + known.table() + " is deleted with its data"
            : "data are kept, unless the provider's settings say that they are elsewhere";
    return "%s: to be given back: %s; %s"
        .formatted(name, machines.isEmpty() ? "nothing" : String.join(", ", machines), data);
  }

  private Releasing releasing(
      Provisioned from, ProvisionStore store, FoundedCluster cluster, NodeProvider provider) {
    return new Releasing(
        from,
        cluster,
        provider,
        table -> choice.tables().drop(table),
        store::keep,
        terminal::line,
        SystemPorts.ports(),
        FaultPoints.NONE);
  }
}
