package io.trimtab.simulator.replicas;

import static io.trimtab.simulator.replicas.Ranges.atLeastOne;
import static io.trimtab.simulator.replicas.Ranges.between;
import static io.trimtab.simulator.replicas.Ranges.positive;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares rankings of replicas on simulated servers. */
@Command(
    name = "replicas",
    description = {
      "Compares rankings of replicas on simulated servers whose speed fluctuates.",
      "Each client ranks the replicas by what it has seen of them. Reads come as one Poisson",
      "stream, each to a client at random, which is what any number of independent generators",
      "send together. The same seed gives the same result. Times are milliseconds."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab sim replicas",
      "  trimtab sim replicas --ranking trimtab,c3 --fluctuation-ms 200 --utilization 0.45",
      "  trimtab sim replicas --ranking trimtab,trimtab:tell=0,trimtab:compensation=1",
      "  trimtab sim replicas --pauses-per-s 0.5 --pause-ms 80 --hedge-ms 40",
      "  trimtab sim replicas --ranking c3 --requests 10000000 --json"
    })
public final class ReplicasCommand implements Callable<Integer> {
  private static final int SERVERS_MAX = 1_000;

  /** Each client keeps what it knows of each server. */
  private static final long PAIRS_MAX = 1_000_000;

  private final Terminal terminal;

  @Option(
      names = "--ranking",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "oracle,trimtab,c3,least-outstanding,random",
      description =
          "One or more of oracle, trimtab, c3, thesis, prequal, dynamic-snitch,"
              + " dynamic-snitch-0.1, least-outstanding, random; default: ${DEFAULT-VALUE}. Weights"
              + " follow a colon: trimtab takes chance, compensation, doubt, even, exponent,"
              + " memory-ms, queue-memory, silence, tell and way, c3 rate-control, thesis newest,"
              + " period-ms and window.")
  private List<String> rankings;

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "50",
      description = "Number of servers; default: ${DEFAULT-VALUE}.")
  private int servers;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      defaultValue = "4",
      description = "Requests that a server works on at a time; default: ${DEFAULT-VALUE}.")
  private int concurrency;

  @Option(
      names = "--service-ms",
      paramLabel = "MS",
      defaultValue = "4",
      description = "Mean service time at the base rate; default: ${DEFAULT-VALUE}.")
  private double serviceMs;

  @Option(
      names = "--service-dist",
      paramLabel = "NAME",
      defaultValue = "exponential",
      description = "exponential, lognormal or pareto; default: ${DEFAULT-VALUE}.")
  private String distribution;

  @Option(
      names = "--rf",
      paramLabel = "N",
      defaultValue = "3",
      description = "Copies of each record; default: ${DEFAULT-VALUE}.")
  private int replication;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "150",
      description = "Number of coordinators; default: ${DEFAULT-VALUE}.")
  private int clients;

  @Option(
      names = "--network-ms",
      paramLabel = "MS",
      defaultValue = "0.25",
      description = "One way to a server; default: ${DEFAULT-VALUE}.")
  private double networkMs;

  @Option(
      names = "--utilization",
      paramLabel = "SHARE",
      defaultValue = "0.7",
      description = "Share of the mean capacity that reads use; default: ${DEFAULT-VALUE}.")
  private double utilization;

  @Option(
      names = "--fluctuation-ms",
      paramLabel = "MS",
      defaultValue = "50",
      description = "After how long a server takes a speed again; default: ${DEFAULT-VALUE}.")
  private double fluctuationMs;

  @Option(
      names = "--slowdown",
      paramLabel = "D",
      defaultValue = "3",
      description = "How many times slower the slow of two speeds is; default: ${DEFAULT-VALUE}.")
  private double slowdown;

  @Option(
      names = "--shadow-reads",
      paramLabel = "SHARE",
      defaultValue = "0.1",
      description = "Share of reads that ask all replicas; default: ${DEFAULT-VALUE}.")
  private double shadowReads;

  @Option(
      names = "--requests",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Number of reads; default: ${DEFAULT-VALUE}.")
  private long requests;

  @Option(
      names = "--key-skew",
      paramLabel = "S",
      defaultValue = "0",
      description =
          "Zipf exponent of how often the servers' keys are read; default: ${DEFAULT-VALUE}.")
  private double keySkew;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Seed of everything random; default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Mixin private DisturbanceOptions more;

  ReplicasCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    ReplicaModel model = model();
    List<SimulatedRanking> chosen = new ArrayList<>();
    rankings.forEach(name -> chosen.add(SimulatedRanking.of(name)));
    ArrayNode results = JsonNodeFactory.instance.arrayNode();
    if (!json) {
      terminal.line(
          "%.0f reads a second, utilization %.2f with shadow reads, seed %d",
          model.arrivalsPerSecond(), model.realUtilization(), seed);
      terminal.line(
          "%-24s %8s %8s %8s %8s %8s %10s %8s",
          "ranking", "mean", "p50", "p95", "p99", "p99.9", "reads/s", "spread");
    }
    for (SimulatedRanking ranking : chosen) {
      terminal.status(ranking + " …");
      ReplicaResult result = new ReplicaSimulation(model, ranking).run();
      terminal.statusDone();
      if (json) {
        results
            .addObject()
            .put("ranking", ranking.toString())
            .put("mean", result.meanMs())
            .put("p50", result.percentile(50))
            .put("p95", result.percentile(95))
            .put("p99", result.percentile(99))
            .put("p999", result.percentile(99.9))
            .put("throughput", result.throughput())
            .put("loadSpread", result.loadSpread())
            .put("hedged", result.hedged())
            .put("utilization", model.realUtilization());
      } else {
        terminal.line(
            "%-24s %8.2f %8.2f %8.2f %8.2f %8.2f %10.0f %8.3f",
            ranking,
            result.meanMs(),
            result.percentile(50),
            result.percentile(95),
            result.percentile(99),
            result.percentile(99.9),
            result.throughput(),
            result.loadSpread());
      }
    }
    if (json) {
      terminal.line("%s", results.toPrettyString());
    }
    return 0;
  }

  private ReplicaModel model() {
    atLeastOne("--servers", servers, SERVERS_MAX);
    atLeastOne("--concurrency", concurrency, Integer.MAX_VALUE);
    atLeastOne("--rf", replication, servers);
    atLeastOne("--clients", clients, 1_000_000);
    atLeastOne("--requests", requests, Long.MAX_VALUE);
    if ((long) clients * servers > PAIRS_MAX) {
      throw new UserError(
          "--clients times --servers must be at most %d, not %d"
              .formatted(PAIRS_MAX, (long) clients * servers));
    }
    positive("--service-ms", serviceMs);
    positive("--utilization", utilization);
    positive("--fluctuation-ms", fluctuationMs);
    between("--network-ms", networkMs, 0, 3_600_000);
    between("--slowdown", slowdown, 1, 1_000);
    between("--shadow-reads", shadowReads, 0, 1);
    between("--key-skew", keySkew, 0, 10);
    ReplicaModel model =
        new ReplicaModel(
            servers,
            concurrency,
            serviceMs,
            distribution(),
            replication,
            more.shape().local() ? servers : clients,
            networkMs,
            utilization,
            fluctuationMs,
            slowdown,
            shadowReads,
            requests,
            keySkew,
            seed,
            more.disturbances(),
            more.shape());
    if (model.realUtilization() >= 1) {
      throw new UserError(
          "--utilization: with shadow reads it is %.2f of the capacity; it must be below 1"
              .formatted(model.realUtilization()));
    }
    return model;
  }

  private ServiceTimes distribution() {
    for (ServiceTimes known : ServiceTimes.values()) {
      if (known.name().toLowerCase(Locale.ROOT).equals(distribution)) {
        return known;
      }
    }
    throw new UserError(
        "--service-dist must be exponential, lognormal or pareto, not " + distribution);
  }
}
