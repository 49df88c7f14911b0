package io.trimtab.runtime;

import io.trimtab.config.Units;
import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Removable;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.control.BalancerHold;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.journal.PlanText;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.runtime.provider.BoundProvider;
import io.trimtab.testkit.cluster.InMemoryCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Carries out a scenario's commands with the loop's own steps, on a cluster in memory:
 *
 * <ul>
 *   <li>{@code show}: what the nodes serve;
 *   <li>{@code decide}: samples until there is a decision, and tells it; nothing is carried out
 *   <li>{@code act}: the same, and carries the plan out
 *   <li>{@code decide for 40m}, {@code act for 40m}: every decision that differs from the last by
 *       more than its numbers
 *   <li>{@code wait 10m}
 *   <li>{@code kill NODE}
 *   <li>{@code clients 300 200ms 5MB/s}: what an agreement's clients report from now on
 * </ul>
 */
final class ScenarioRun implements LoopListener, AutoCloseable {
  private static final Duration DECISION_LIMIT = Duration.ofHours(1);

  private final Scenario scenario;
  private final InMemoryCluster cluster;
  private final Inputs inputs;
  private final Journal journal;
  private final ControlStep dry;
  private final ControlStep acting;
  private final List<String> said = new ArrayList<>();
  private String clients = "";
  private String lastSaid = "";
  private int again;

  ScenarioRun(Scenario scenario) throws EngineException {
    this.scenario = scenario;
    cluster = new InMemoryCluster(scenario.cluster());
    MemoryState state = new MemoryState();
    Ports ports = SimulatedTime.ports(cluster.clock(), Workers.IN_TURN, id -> state);
    LoopContext context =
        new LoopContext(
            cluster.engine(),
            Optional.of(provider()),
            scenario.settings(),
            this,
            ports,
            FaultPoints.NONE);
    inputs = new Inputs(cluster.engine(), scenario.settings()).open(ports);
    Tenure tenure = TestTenure.of(cluster.engine(), state);
    journal = tenure.journal();
    JournalState known = JournalState.of(state.recorded());
    dry = new ControlStep(context, inputs, state.dryJournal(known), Optional.empty());
    acting =
        new ControlStep(
            context,
            inputs,
            journal,
            Optional.of(
                new ControlStep.Acting(
                    tenure,
                    new Executor(context, tenure, () -> false, () -> true, before -> before),
                    new BalancerHold(
                        cluster.engine(),
                        tenure,
                        false,
                        context.pause(() -> false),
                        context.ports()))));
  }

  private NodeProvider provider() {
    return scenario.gives().isEmpty()
        ? cluster.provider()
        : new BoundProvider(
            cluster.provider(),
            Removable.only(
                List.of(new NodeId(scenario.gives())), "its provider gives back only another"));
  }

  /** What each command prints. */
  List<String> outputs() throws EngineException, IOException, InterruptedException {
    List<String> outputs = new ArrayList<>();
    if (!scenario.balancer()) {
      cluster.engine().setBalancer(BalancerState.PAUSED);
    }
    for (String command : scenario.commands()) {
      said.clear();
      perform(command.split(" "));
      tellAgain();
      outputs.add(String.join("\n", said));
    }
    return outputs;
  }

  private void perform(String[] words) throws EngineException, IOException, InterruptedException {
    switch (words[0]) {
      case "show" -> show();
      case "decide" -> decide(dry, words);
      case "act" -> decide(acting, words);
      case "wait" -> cluster.clock().advance(Units.duration(words[1]));
      case "kill" -> cluster.kill(new NodeId(words[1]));
      case "clients" -> report(words);
      default -> throw new IllegalArgumentException("there is no command " + words[0]);
    }
  }

  private void decide(ControlStep step, String[] words)
      throws EngineException, IOException, InterruptedException {
    boolean once = words.length == 1;
    Duration time = once ? DECISION_LIMIT : Units.duration(words[2]);
    var end = cluster.clock().instant().plus(time);
    while (cluster.clock().instant().isBefore(end) && !(once && !said.isEmpty())) {
      cluster.clock().advance(scenario.settings().observe().period());
      tell();
      step.step(cluster.clock().instant());
    }
  }

  /** What differs from the last only by its numbers is counted, not told again. */
  private void say(String text) {
    String what = text.replaceAll("[0-9]+([.][0-9]+)?", "#");
    if (what.equals(lastSaid)) {
      again++;
      return;
    }
    tellAgain();
    lastSaid = what;
    said.add(text);
  }

  private void tellAgain() {
    if (again > 0) {
      said.add("(" + again + " times more)");
    }
    lastSaid = "";
    again = 0;
  }

  @Override
  public void held(String by, String reason, String setting) {
    say(
        "nothing is done, says "
            + by
            + ": "
            + reason
            + (setting.isEmpty() ? "" : " [" + setting + "]"));
  }

  @Override
  public void planned(Plan plan, boolean act) {
    say(PlanText.table(plan));
  }

  @Override
  public void planEnded(Plan plan, PlanOutcome outcome, String why) {
    say("plan " + outcome + ": " + why);
  }

  private void report(String[] words) {
    double ms = Units.duration(words[2]).toNanos() / 1e6;
    double rate = Double.parseDouble(words[3].replace("MB/s", ""));
    clients =
        String.format(
            Locale.ROOT,
            "{\"tenant\":\"shop\",\"client\":\"a\",\"clients\":%s,\"responseTimeMs\":%s,"
                + "\"throughputMBps\":%s}",
            words[1],
            ms,
            rate);
  }

  private void tell() throws IOException, InterruptedException {
    if (!clients.isEmpty()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + inputs.reportPort() + "/report"))
              .POST(HttpRequest.BodyPublishers.ofString(clients))
              .build();
      HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
    }
  }

  private void show() throws EngineException {
    var settings = scenario.settings().observe();
    History history = History.EMPTY;
    for (int i = 0; i < settings.samples(); i++) {
      cluster.clock().advance(settings.period());
      history = history.append(cluster.engine().snapshot(), settings);
    }
    Observation seen = Observation.of(history, cluster.clock().instant(), settings);
    if (!(seen instanceof Observation.Usable usable)) {
      said.add(((Observation.Unusable) seen).reason());
      return;
    }
    for (NodeState node : usable.snapshot().nodes()) {
      said.add(
          "%s %s"
              .formatted(
                  node.id(),
                  node.alive()
                      ? String.format(
                          Locale.ROOT,
                          "%s, usage %.2f",
                          node.profile().map(p -> p.name()).orElse("?"),
                          usable.usage().get(node.id()))
                      : "dead"));
      for (PartitionState p : usable.snapshot().partitions()) {
        if (p.node().filter(node.id()::equals).isPresent()) {
          said.add("  " + p.id() + " " + rates(usable.rates(p.id())));
        }
      }
    }
  }

  /** To two digits: what is left of the noise does not matter to a reader. */
  private static String rates(Rates rates) {
    return String.format(
        Locale.ROOT,
        "%s reads/s, %s scans/s, %s writes/s",
        rounded(rates.reads()),
        rounded(rates.scanCalls()),
        rounded(rates.writes()));
  }

  private static String rounded(double rate) {
    double step = Math.pow(10, Math.max(0, Math.floor(Math.log10(Math.max(1, rate))) - 1));
    return String.format(Locale.ROOT, "%.0f", Math.rint(rate / step) * step);
  }

  @Override
  public void close() {
    inputs.close();
    journal.close();
  }
}
