package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.predict.Forecast;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.CostSample;
import io.trimtab.models.usage.LearnedCosts;
import io.trimtab.models.usage.LearnedNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A node has a CPU and a disk, and is full when one of them is. */
public class ResourcesTest {
  public static final double IDLE = 0.03;
  static final double READ = 250e-6;
  private static final double MISS_CPU = 40e-6;
  private static final double MISS_WAIT = 4e-3;
  private static final Settings SETTINGS = Settings.defaults().with(Policies.AUTOPILOT);

  private final ByHand cluster = new ByHand();
  private final List<BlockHistogram> blocks = new ArrayList<>();

  /** What reads and misses cost, as learned from samples with one percent of noise. */
  public static LearnedCosts learned() {
    Random random = new Random(5);
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 240; i++) {
      double reads = 4_000 * random.nextDouble();
      double misses = Math.min(reads, 200 * random.nextDouble());
      double noise = 1 + 0.01 * random.nextGaussian();
      double cpu = IDLE + READ * reads + MISS_CPU * misses;
      learner =
          learner.with(
              new CostSample(reads, 0, 0, misses, 0, noise * cpu, noise * MISS_WAIT * misses));
    }
    return learner.costs();
  }

  private PartitionId reads(NodeId at, String table, double perSecond, double distinct) {
    PartitionId id = cluster.reads(at, table, perSecond);
    var bin = new BlockHistogram.Bin(500, distinct);
    blocks.add(BlockHistogram.ofReads(id, List.of(bin), ByHand.BLOCK));
    return id;
  }

  /**
   * A node whose CPU is full, one whose disk is busy and whose CPU is idle, and one whose CPU is
   * used to two thirds.
   */
  private Observation.Usable seen() {
    NodeId full = cluster.node("full", Profile.HOMOGENEOUS, Double.NaN, IDLE + 3_600 * READ, 0);
    NodeId mixed = cluster.node("mixed", Profile.HOMOGENEOUS, Double.NaN, IDLE + 2_400 * READ, 0);
    double misses = 130;
    NodeId disk =
        cluster.node(
            "disk",
            Profile.HOMOGENEOUS,
            Double.NaN,
            IDLE + misses * (READ + MISS_CPU),
            misses * MISS_WAIT);
    for (int i = 0; i < 3; i++) {
      reads(full, "hot", 1_200, 100);
    }
    reads(mixed, "warm", 2_400, 100);
    reads(disk, "cold", misses, 1e6);
    return learning();
  }

  @Test
  void aNodeIsUsedByWhatItHasLeastOf() {
    ClusterLoad load = ByHand.load(seen(), SETTINGS);
    Layout now = Layout.now(load);
    int disk = ByHand.index(now, new NodeId("disk:1"));
    int full = ByHand.index(now, new NodeId("full:1"));

    assertThat(load.basis().isApart()).isTrue();
    assertThat(now.forecast(disk).isShortOfDisk()).isTrue();
    assertThat(now.forecast(disk).cpu()).isLessThan(0.1);
    // Of the time in which its CPU is idle.
    assertThat(now.usage(disk)).isCloseTo(0.52 / 0.93, within(0.03));
    assertThat(now.forecast(disk).measured()).isCloseTo(0.59, within(0.02));
    assertThat(now.forecast(full).isShortOfDisk()).isFalse();
    assertThat(now.usage(full)).isCloseTo(0.93, within(0.02));
  }

  /** By the sum of both it would be too much for any node. */
  @Test
  void whatNeedsCpuGoesToANodeWhoseDiskIsBusy() {
    Decision decision = Policies.AUTOPILOT.decide(seen(), PolicyState.INITIAL, SETTINGS);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    Decision.Act act = (Decision.Act) decision;
    assertThat(act.plan().actions(Action.AddNode.class)).isEmpty();
    assertThat(act.plan().actions(Action.Move.class))
        .isNotEmpty()
        .allSatisfy(
            move -> {
              assertThat(move.partition().table()).isEqualTo("hot");
              assertThat(move.to()).isEqualTo(new NodeId("disk:1"));
            });
  }

  /** As nodes' usage is measured, so that it can be compared. */
  @Test
  void whatIsPredictedForTheLedgerIsBothTogether() {
    Decision.Act act =
        (Decision.Act) Policies.AUTOPILOT.decide(seen(), PolicyState.INITIAL, SETTINGS);
    double moved = 0.3 * act.plan().actions(Action.Move.class).size();

    assertThat(act.predicted().orElseThrow().usage().get(new NodeId("disk:1")))
        .isCloseTo(0.59 + moved, within(0.05));
  }

  /** It works or waits nearly all the time, but could do more of either. */
  @Test
  void aNodeWithEnoughOfBothIsNotRelieved() {
    double misses = 75;
    double reads = 1_870;
    NodeId only =
        cluster.node(
            "only",
            Profile.HOMOGENEOUS,
            Double.NaN,
            IDLE + READ * (reads + misses) + MISS_CPU * misses,
            MISS_WAIT * misses);
    reads(only, "hot", reads, 100);
    reads(only, "cold", misses, 1e6);
    Observation.Usable seen = learning();

    assertThat(seen.usage().get(only)).isGreaterThan(SETTINGS.health().high());
    Decision decision = Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, SETTINGS);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).reason())
        .contains("the most used node is at 0.82, but neither its CPU nor its disk is used too");
  }

  private Observation.Usable learning() {
    return cluster.seen().withBlocks(blocks).with(Optional.of(LearnedNodes.alike(learned())));
  }

  /** While its CPU works nobody sees that its disk is waited for. */
  @Test
  void whatIsNotSeenOfABusyDiskIsNoProofThatRequestsCostLess() {
    double misses = 150;
    double reads = 2_150;
    double its = IDLE + READ * (reads + misses) + MISS_CPU * misses;
    // Just below what counts as full.
    NodeId both = cluster.node("both", Profile.HOMOGENEOUS, Double.NaN, its, 0.965 - its);
    reads(both, "hot", reads, 100);
    reads(both, "cold", misses, 1e6);
    Layout now = Layout.now(ByHand.load(learning(), SETTINGS));

    Forecast forecast = now.forecast(ByHand.index(now, both));
    // By the sum, which is 1.21, all would cost a fifth less.
    assertThat(forecast.cpu()).isCloseTo(its, within(0.04));
    assertThat(forecast.measured()).isGreaterThan(1.1);
    assertThat(forecast.measurable()).isCloseTo(1, within(0.01));
  }

  /** Either would do for the load of now; both leave room for what clients ask for then. */
  @Test
  void cachesAreMadeLargerAlsoWhereMovesWouldDo() {
    double reads = 200;
    double misses = 199;
    double its = IDLE + READ * reads + MISS_CPU * misses;
    NodeId full = cluster.node("full", Profile.HOMOGENEOUS, Double.NaN, its, MISS_WAIT * misses);
    cluster.node("idle", Profile.HOMOGENEOUS, Double.NaN, IDLE, 0);
    reads(full, "warm", 30, 10_000);
    reads(full, "cold", 85, 1e6);
    reads(full, "cold", 85, 1e6);
    Layout now = Layout.now(ByHand.load(learning(), SETTINGS));

    List<Generator.Candidate> found =
        new SmallSteps().propose(now, new Evaluator(now.load(), now, 0.7));
    assertThat(found).extracting(Generator.Candidate::title).contains("move partitions");
    assertThat(found)
        .extracting(Generator.Candidate::layout)
        .anyMatch(layout -> layout.hasOtherProfiles() && layout.moved().count() == 1);
  }
}
