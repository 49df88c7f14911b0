package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.place.UsagePackingTest;
import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.capacity.Objective;
import io.trimtab.models.capacity.ProvisioningTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Plans for seeded random clusters, to the letter: every action, text, verdict and remembered
 * class. A change that is to make planning faster, or only moves code, leaves all digests as they
 * are, in every JVM. Where one differs, {@code target/plans/} has the texts to compare with those
 * of the commit before; a change of what is decided replaces the digest.
 */
class SamePlansTest {
  private static final int SEEDS = 60;

  /** Every so many seeds one large cluster, so that equal loads and full nodes meet. */
  private static final int LARGE_EVERY = 20;

  /** The input of one decision. */
  private record Asked(Observation.Usable seen, PolicyState state, Settings settings) {}

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "met-initial, 13c8fbb348044ef084b4fd47",
    "met-restart, 90b529ebe90f24e5439d4306",
    "met-by-load, 3c5cd9515c1b8f2802d6970d",
    "met-grow, 2126d8038697d19cf22bd188",
    "met-full, e0f52d8620c94e9a68fdfd83",
    "met-shrink, 955ae1faca6e471f75a5feb1",
    "met-ring, b4621d53d6c770360568ee59",
    "thesis-initial, 7a59efe6ce737b4b462063f0",
    "thesis-grow, 0c2d31ad86ed66a439c65867",
    "thesis-shrink, 333752026e91c018727a1471",
    "tiramola-grow, 182d18db352140b4557b2770",
    "tiramola-shrink, dba2d91fb736a5fceb566eda",
    "tiramola-ring, d3861bbd43a847dbd9486a12",
    "usage, d1ec723f09ad0d6c1e2b1843",
    "slo, 141ec7be526ccd68f4004395",
    "slo-ring, 3ab79b29359021c060e64774",
  })
  void plansAreTheSameToTheLetter(String kind, String digest) throws Exception {
    StringBuilder all = new StringBuilder();
    int plans = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      String text = said(asked(kind, seed));
      plans += text.startsWith("plan") ? 1 : 0;
      all.append("seed ").append(seed).append(": ").append(text).append("\n");
    }
    // Without plans nothing would be held.
    assertThat(plans).as("plans of %s among %s seeds", kind, SEEDS).isGreaterThan(SEEDS / 4);
    Path kept = Path.of("target", "plans", kind + ".txt");
    Files.createDirectories(kept.getParent());
    Files.writeString(kept, all);
    assertThat(digest(all.toString()))
        .as("plans of %s for the seeds 0 to %s, written to %s", kind, SEEDS - 1, kept)
        .isEqualTo(digest);
  }

  private static String digest(String text) throws Exception {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash, 0, 12);
  }

  private static Asked asked(String kind, long seed) {
    Random random = new Random(7 * seed + kind.hashCode());
    boolean usage = kind.equals("usage");
    boolean large = seed % LARGE_EVERY == LARGE_EVERY - 1;
    int nodes = large ? 40 : 2 + random.nextInt(12);
    RandomCluster cluster =
        new RandomCluster(seed, nodes, large ? (usage ? 200 : 3_000) : 8 + random.nextInt(120));
    ClusterSnapshot snapshot = shaped(cluster, kind, random);
    Map<PartitionId, Rates> rates = new HashMap<>();
    double unit = random.nextBoolean() ? 1 : 10 * random.nextDouble();
    snapshot.partitions().forEach(p -> rates.put(p.id(), rates(random, unit, usage)));
    boolean idle = kind.endsWith("shrink") || kind.startsWith("slo") && random.nextBoolean();
    Map<NodeId, Double> used = new HashMap<>();
    snapshot
        .nodes()
        .forEach(n -> used.put(n.id(), (idle ? 0.02 : 0.85) + random.nextInt(10) / 99.));
    var seen = new Observation.Usable(snapshot, rates, used, used, List.of());
    if (usage) {
      seen = seen.with(blocks(snapshot, random), UsagePackingTest.model());
    } else if (kind.startsWith("slo")) {
      seen = seen.withServices(List.of(service(idle)));
    }
    boolean first = kind.endsWith("-initial") || kind.equals("met-restart");
    PolicyState state =
        new PolicyState(
            1 + random.nextInt(3), first || kind.equals("met-by-load"), List.of(), List.of());
    return new Asked(seen, state, settings(kind, nodes));
  }

  /** Nodes and partitions as the kind of decision needs them. */
  private static ClusterSnapshot shaped(RandomCluster cluster, String kind, Random random) {
    boolean ring = kind.endsWith("ring");
    boolean one = kind.equals("met-restart");
    List<NodeState> nodes = new ArrayList<>();
    for (NodeState n : cluster.snapshot.nodes()) {
      Profile profile = kind.endsWith("-initial") || one ? Profile.HOMOGENEOUS : null;
      nodes.add(
          new NodeState(
              n.id(),
              1,
              true,
              false,
              Optional.ofNullable(profile).or(n::profile),
              !one && n.onlineProfile(),
              kind.endsWith("shrink") ? new NodeUsage(0.01, 0, 0, 0.01) : n.usage(),
              gauges()));
    }
    List<PartitionState> partitions = new ArrayList<>();
    boolean even = random.nextBoolean();
    for (PartitionState p : cluster.snapshot.partitions()) {
      boolean homeless = !kind.equals("usage") && random.nextInt(100) == 0;
      partitions.add(
          new PartitionState(
              p.id(),
              homeless ? Optional.empty() : p.node(),
              p.counters(),
              even ? 3_000_001L * (1 + random.nextInt(3)) : p.sizeBytes(),
              1,
              p.blockSizeBytes(),
              p.range()));
    }
    return new ClusterSnapshot(
        RandomCluster.NOW,
        "test",
        ring ? "cassandra" : "hbase",
        ring ? Ownership.TOKENS : Ownership.ASSIGNED,
        "1",
        1,
        nodes,
        partitions,
        0,
        List.of(),
        new BalancerState(true, true),
        List.of());
  }

  private static NodeGauges gauges() {
    long cache = 1_000 * (long) UsagePackingTest.BLOCK;
    return new NodeGauges(-1, -1, -1, -1, 3_000_000_000L, -1, cache, -1, -1, -1, -1, -1, Map.of());
  }

  /** Whole numbers times a unit: many partitions are asked for alike, and ties must be broken. */
  private static Rates rates(Random random, double unit, boolean readsOnly) {
    double scale = unit * (1 << random.nextInt(7));
    return RandomCluster.rates(readsOnly ? 0 : random.nextInt(5), scale);
  }

  private static List<BlockHistogram> blocks(ClusterSnapshot snapshot, Random random) {
    List<BlockHistogram> blocks = new ArrayList<>();
    for (PartitionState p : snapshot.partitions()) {
      var bin = new BlockHistogram.Bin(500, 20 + random.nextInt(900));
      blocks.add(BlockHistogram.ofReads(p.id(), List.of(bin), UsagePackingTest.BLOCK));
    }
    return blocks;
  }

  private static Service service(boolean kept) {
    List<ProvisioningTable.Cell> cells = new ArrayList<>();
    for (int nodes = 2; nodes <= 50; nodes++) {
      double ms = 100. / nodes;
      cells.add(
          new ProvisioningTable.Cell(
              "zipf", "small", 100, nodes, ms, 10, Double.NaN, Double.NaN, 1));
    }
    var asked = new Objective("zipf", 100, 60, Double.NaN, Double.NaN, Double.NaN, 60);
    var check = new Service.Check(100, kept ? 1 : 100, Service.Percentiles.UNKNOWN, 10, 990, 1_000);
    List<Service.Check> checks = Collections.nCopies(20, check);
    return new Service("shop", asked, new ProvisioningTable(cells), "small", checks);
  }

  private static Settings settings(String kind, int nodes) {
    Action.ApplyMode way =
        kind.equals("met-restart") ? Action.ApplyMode.RESTART : Action.ApplyMode.ONLINE;
    boolean byLoad = kind.equals("met-by-load");
    int most = kind.equals("met-full") ? nodes : nodes + 4;
    return Settings.defaults()
        .with(PlaceSettings.builder().weighByLoad(byLoad).way(way).build())
        .with(GuardSettings.builder().maxNodes(most).maxMoves(10_000).build())
        .with(new UsageSettings("model.json", null, 0.1, 0.1, null, null, null))
        .with(SloSettings.builder().sla("sla.yaml").tables(List.of("t.csv")).checks(20).build())
        .with(policy(kind));
  }

  /** The clusters of a kind are drawn from its name, which is older than the policies' names. */
  private static Policy policy(String kind) {
    String word = kind.replaceAll("-.*", "");
    return switch (word) {
      case "met" -> Policies.MET_1;
      case "thesis" -> Policies.MET;
      default -> Policies.ALL.named(word);
    };
  }

  private static String said(Asked asked) {
    Policy policy = asked.settings().policy();
    Decision decision = policy.decide(asked.seen(), asked.state(), asked.settings());
    if (decision instanceof Decision.Hold hold) {
      return "hold: " + hold.reason() + " [" + hold.setting() + "] " + remembered(hold.next());
    }
    Decision.Act act = (Decision.Act) decision;
    ClusterSnapshot before = asked.seen().snapshot();
    StringBuilder text = new StringBuilder("plan ").append(act.plan().id()).append(": ");
    // Of the gain as many digits as do not depend on a machine's exp().
    text.append(act.plan().summary())
        .append(String.format(Locale.ROOT, ", gain %.9g\n", act.plan().gain()));
    for (PlannedAction a : act.plan().actions()) {
      text.append(a.step()).append(" | ").append(a.action()).append(" | ").append(a.reason());
      text.append(" | ").append(a.effect()).append(" | ").append(a.cost()).append(" | ");
      text.append(a.undo()).append("\n");
    }
    Guard.Verdict verdict =
        Guard.check(
            act.plan(),
            before,
            Optional.empty(),
            Optional.of(NodeCapacity.of(3)),
            asked.settings(),
            RandomCluster.NOW);
    text.append(verdict).append("\n").append(remembered(act.next())).append("\n");
    ClusterSnapshot after = PlanApplier.apply(act.plan(), before);
    after.nodes().forEach(n -> text.append(n.id()).append(n.profile()).append(" "));
    after.partitions().forEach(p -> text.append(p.id()).append(p.node()).append(" "));
    return text.toString();
  }

  /** As it was told before the autopilot remembered rewrites; none of these policies has any. */
  private static String remembered(PolicyState next) {
    assertThat(next.rewrites()).isEmpty();
    return "PolicyState[step=%d, first=%s, classes=%s, boundaries=%s]"
        .formatted(next.step(), next.first(), next.classes(), next.boundaries());
  }
}
