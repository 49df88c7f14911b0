package io.trimtab.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.AddedModule;
import io.trimtab.cli.MemoryHandle;
import io.trimtab.cli.MemoryModule;
import io.trimtab.cli.Run;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.journal.SavedPlan;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.TableSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code plan --save}, {@code plan show} and {@code run --plan} on a cluster in memory. */
final class SavedPlanCommandTest {
  private static final String VERSION = SystemPorts.ports().version();

  private static final String[] BY_AUTOPILOT = {
    "plan", "--in-memory", "--policy", "autopilot", "--samples", "2", "--period", "1s"
  };

  /** The one that all commands of a test are about. */
  private static InMemoryCluster cluster;

  @TempDir private Path folder;
  private AddedModule added;
  private Path file;

  @BeforeEach
  void begin() throws Exception {
    added = new AddedModule(MemoryModule.class, folder);
    MemoryModule.answers(() -> new MemoryHandle("the cluster in memory", cluster));
    TableSpec table = TableSpec.of("orders", 6, 512L << 20, Access.reads(120_000));
    cluster = begun(ClusterSpec.assigned(1, 3, table));
    file = folder.resolve("plan.json");
  }

  @AfterEach
  void end() {
    added.close();
  }

  private static InMemoryCluster begun(ClusterSpec spec) throws Exception {
    InMemoryCluster begun =
        new InMemoryCluster(spec, new VirtualClock(Instant.now().minusSeconds(60)));
    // What a test moves by hand would be moved back.
    begun.engine().setBalancer(BalancerState.PAUSED);
    return begun;
  }

  private static Set<NodeId> live() {
    return cluster.truth().liveNodes().stream()
        .map(NodeState::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Takes the first partition to another node. */
  private static Plan plan(String clusterId) {
    ClusterSnapshot seen = cluster.truth();
    PartitionState first = seen.partitions().get(0);
    NodeId from = first.node().orElseThrow();
    Action move = new Action.Move(first.id(), from, others(from).get(0));
    return new Plan(
        "autopilot-1",
        clusterId,
        seen.takenAt(),
        "autopilot",
        "it belongs there",
        0.5,
        List.of(new PlannedAction(1, move, "hot", "less", "2 s", "move it back")));
  }

  private static List<NodeId> others(NodeId but) {
    return live().stream().filter(n -> !n.equals(but)).toList();
  }

  private static Action.Move saved(Path file) {
    Plan plan = plan(cluster.truth().clusterId());
    new SavedPlan(VERSION, live(), plan).write(file);
    return plan.actions(Action.Move.class).get(0);
  }

  private static NodeId nodeOf(Action.Move move) {
    return cluster.truth().partitions().stream()
        .filter(p -> p.id().equals(move.partition()))
        .findFirst()
        .flatMap(PartitionState::node)
        .orElseThrow();
  }

  private static Run run(Path file, String... more) {
    List<String> words = new ArrayList<>(List.of("run", "--in-memory", "--plan"));
    words.add(file.toString());
    words.addAll(List.of(more));
    return Run.of(words.toArray(String[]::new));
  }

  private static void refused(Run run, String why) {
    assertThat(run.refusal()).contains(why);
  }

  @Test
  void aPlanIsSavedAndShown() {
    String[] order = {
      "plan",
      "--in-memory",
      "--policy",
      "tiramola",
      "--samples",
      "2",
      "--period",
      "1s",
      "--save",
      file.toString()
    };
    Run made = Run.of(order);

    assertThat(made.code()).as(made.err()).isZero();
    assertThat(made.out())
        .contains(", policy tiramola", "add-node     new-1")
        .contains("nothing was changed; to carry it out: trimtab run --plan " + file);
    SavedPlan saved = SavedPlan.read(file);
    assertThat(saved.version()).isEqualTo(VERSION);
    assertThat(saved.nodes()).isEqualTo(live());

    Run shown = Run.of("plan", "show", file.toString());
    assertThat(shown.code()).as(shown.err()).isZero();
    assertThat(shown.out())
        .contains("add-node     new-1")
        .contains("for cluster " + saved.plan().clusterId() + ", as it was at ")
        .contains("made by version " + VERSION);

    refused(Run.of(order), file + " exists: an older plan must not be taken for this one");
    assertThat(SavedPlan.read(file)).isEqualTo(saved);
  }

  /** One of four nodes has the two hottest of eight partitions. */
  @Test
  void whatTheAutopilotHasWeighedIsShownBesideItsPlan() throws Exception {
    TableSpec uneven =
        TableSpec.of("orders", 8, 64L << 20, Access.reads(25_000))
            .with(KeyDistribution.zipf(29, 8, 0.7));
    cluster = begun(ClusterSpec.assigned(1, 4, uneven));
    for (int i = 0; i < 4; i++) {
      // Its caches fill.
      cluster.clock().advance(Duration.ofSeconds(10));
      cluster.truth();
    }
    Run made = Run.of(BY_AUTOPILOT);

    assertThat(made.code()).as(made.err()).isZero();
    assertThat(made.out())
        .contains(", policy autopilot", "nothing was changed; trimtab run --act decides anew");
    assertThat(weighed(made))
        .filteredOn(line -> line.contains("  chosen"))
        .singleElement()
        .asString()
        .matches(".+ [01]\\.\\d\\d +0\\.\\d\\d +\\d+ +\\d+ +\\d+ .+  chosen.*");

    assertThat(Run.of(inJson()).out())
        .contains("{\"plan\": ", ", \"alternatives\": [", "\"verdict\"", "\"chosen\"");
  }

  private static String[] inJson() {
    String[] words = Arrays.copyOf(BY_AUTOPILOT, BY_AUTOPILOT.length + 1);
    words[BY_AUTOPILOT.length] = "--json";
    return words;
  }

  /** The lines of the table of what was weighed. */
  private static List<String> weighed(Run made) {
    List<String> table =
        made.out()
            .lines()
            .dropWhile(line -> !line.startsWith("alternative "))
            .takeWhile(line -> !line.isBlank())
            .toList();
    assertThat(table).as(made.out()).hasSizeGreaterThan(2);
    assertThat(table.get(0))
        .matches(
            "alternative +most used +then +nodes +moves +splits +moved +rewritten +takes, min"
                + " +price, min +saves, min *");
    return table.subList(1, table.size());
  }

  /** Three nodes that are asked for more than they can do, and store 10.2 GiB all together. */
  private static InMemoryCluster overloadedRing() throws Exception {
    TableSpec table = TableSpec.of("shop.orders", 1, 5_222L << 20, Access.reads(120_000));
    // Online they could be configured for their requests, which would be done first.
    return begun(ClusterSpec.ring(1, 3, 2, table).withOnline(false));
  }

  /** Of nodes that are used fully four are at 0.75, and five at 0.6: below the target. */
  @Test
  void whatTheAutopilotHasWeighedOfAnOverloadedRingIsShown() throws Exception {
    cluster = overloadedRing();
    Run made = Run.of(BY_AUTOPILOT);

    assertThat(made.code()).as(made.err()).isZero();
    assertThat(made.out()).contains(", policy autopilot", "add-node     new-1", "new-2");
    List<String> table = weighed(made);
    assertThat(table).as(made.out()).hasSize(4);
    // A fifth of all after a quarter of it, and what the three clean up.
    assertRow(
        table,
        "add 2 nodes",
        "0\\.[56]\\d +5 +0 +0 +4\\.59 GiB +10\\.2 GiB +2\\.6 +12\\.6 +-?\\d+\\.\\d +chosen");
    assertRow(
        table,
        "add a node",
        "0\\.7\\d +4 +0 +0 +2\\.55 GiB +10\\.2 GiB +2\\.3 +7\\.3 +-?\\d+\\.\\d"
            + " +\\d nodes? above the target");
    assertRow(
        table,
        "leave the nodes as they are",
        "(0\\.9\\d|1\\.00) +3 +0 +0 +0 B +0 B +0\\.0 +0\\.0 +-?0\\.0"
            + " +\\d nodes? above the target");
    assertRow(
        table,
        "remove a node",
        "1\\.\\d\\d +2 +0 +0 +[\\d.]+ [MG]iB +0 B +\\d\\.\\d +\\d\\.\\d +-\\d+\\.\\d"
            + " +costs more than it saves");

    // To sample that ring's requests has taken some of its time, which is ahead now.
    cluster = overloadedRing();
    assertThat(Run.of(inJson()).out())
        .contains("{\"plan\": ", ", \"alternatives\": [", "add 2 nodes", "leave the nodes")
        .contains("\"bytes\"", "\"rewritten\"", "\"chosen\"");
  }

  /**
   * Of one alternative.
   *
   * @param then a pattern of all that follows the usage of the most used node
   */
  private static void assertRow(List<String> table, String title, String then) {
    assertThat(table)
        .filteredOn(line -> line.startsWith(title + "  "))
        .singleElement()
        .asString()
        .matches(title + " +(0\\.9\\d|1\\.00) +" + then);
  }

  @Test
  void whatWasSavedIsCarriedOut() {
    Action.Move move = saved(file);

    Run dry = run(file);
    assertThat(dry.code()).as(dry.err()).isZero();
    assertThat(dry.out()).contains("nothing was changed; the plan can be carried out: add --act");
    assertThat(nodeOf(move)).isEqualTo(move.from());

    Run done = run(file, "--act");
    assertThat(done.code()).as(done.err()).isZero();
    assertThat(done.out()).contains("done: every action has ended");
    assertThat(nodeOf(move)).isEqualTo(move.to());
  }

  /** What is kept with the cluster is known without being in charge. */
  @Test
  void aPlanThatWouldHaveToWaitIsRefusedBeforeItIsOrdered() {
    saved(file);
    assertThat(run(file, "--act").code()).isZero();
    Path second = folder.resolve("second.json");
    saved(second);

    Run dry = run(second);
    Run act = run(second, "--act");

    refused(dry, "it would be refused: ");
    refused(dry, "; the setting: guard.cooldown");
    refused(act, "; the setting: guard.cooldown");
  }

  @Test
  void whatNoLongerHoldsIsNamedAndNothingIsDone() throws Exception {
    Action.Move move = saved(file);
    NodeId third = others(move.from()).get(1);
    cluster.engine().move(move.partition(), third, Duration.ofMinutes(1));

    refused(run(file), "plan.json: the cluster has changed since ");
    Run run = run(file, "--act");
    refused(run, "plan.json: the cluster has changed since ");
    assertThat(run.err()).contains(move.partition().toString(), "; make the plan anew");
    assertThat(nodeOf(move)).isEqualTo(third);
  }

  @Test
  void whatTheGuardRefusesIsToldTheSameWayBeforeAndWithAct() throws Exception {
    Action.Move move = saved(file);
    Path settings = folder.resolve("trimtab.yaml");
    Files.writeString(settings, "tables:\n  deny: [orders]\n");
    String[] with = {"--config", settings.toString()};

    Run dry = run(file, with);
    Run act = run(file, "--act", "--config", settings.toString());

    refused(dry, "it would be refused: ");
    refused(dry, "; the setting: tables.");
    refused(act, dry.refusal().replaceFirst(".*it would be refused: ", ""));
    assertThat(nodeOf(move)).isEqualTo(move.from());
  }

  @Test
  void aPlanOfAnotherClusterOrVersionIsNotCarriedOut() {
    Action.Move move = saved(file);
    new SavedPlan(VERSION, live(), plan("elsewhere")).write(file);
    Run elsewhere = run(file, "--act");
    refused(elsewhere, "plan.json: the plan is for cluster elsewhere, this is ");
    refused(elsewhere, "; name that cluster, or make it anew here");

    new SavedPlan("0.0.1", live(), plan(cluster.truth().clusterId())).write(file);
    refused(run(file, "--act"), "plan.json: the plan was made by version 0.0.1, this is ");

    assertThat(nodeOf(move)).isEqualTo(move.from());
  }

  @Test
  void whatIsNoPlanIsOneLine() throws Exception {
    refused(run(file, "--act"), "plan.json: no such file");
    refused(Run.of("plan", "show", file.toString()), "plan.json: no such file");
    Files.writeString(file, "{\"version\": \"1\"}");
    refused(run(file, "--act"), "plan.json: not a plan that trimtab plan --save wrote");
    refused(
        Run.of("plan", "show", file.toString()),
        "plan.json: not a plan that trimtab plan --save wrote");
    refused(run(file, "--plans", "2"), "--plan goes with none of --standby, --abandon, --plans");
  }
}
