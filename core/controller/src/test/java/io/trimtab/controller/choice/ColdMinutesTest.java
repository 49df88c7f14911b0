package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.predict.UsageBasis;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.models.usage.LearnedNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a node uses more while its caches are cold does not go along with its partitions. */
class ColdMinutesTest {
  private static final double IDLE = ResourcesTest.IDLE;
  private static final double READ = ResourcesTest.READ;
  private static final double READS = 1_200;

  /** What the reads of a node use where all are found in its cache. */
  private static final double USED = READS * READ;

  private static final Settings SETTINGS = Settings.defaults().with(Policies.AUTOPILOT);

  private final ByHand cluster = new ByHand();
  private final List<BlockHistogram> blocks = new ArrayList<>();

  /** A node that is asked for the same as the others, in two partitions. */
  private NodeId node(String name, double itsUsage) {
    NodeId id = cluster.node(name, Profile.HOMOGENEOUS, itsUsage);
    for (String part : List.of("a", "b")) {
      PartitionId partition = cluster.reads(id, name + part, READS / 2);
      var bin = new BlockHistogram.Bin(500, 100);
      blocks.add(BlockHistogram.ofReads(partition, List.of(bin), ByHand.BLOCK));
    }
    return id;
  }

  private Observation.Usable seen() {
    return cluster
        .seen()
        .withBlocks(blocks)
        .with(Optional.of(LearnedNodes.alike(ResourcesTest.learned())));
  }

  /** How many times as much as predicted a node's first partition is counted with. */
  private static double factor(Observation.Usable seen, NodeId node) {
    ClusterLoad load = ByHand.load(seen, SETTINGS);
    for (int p = 0; p < load.partitions().size(); p++) {
      if (load.nodes().get(load.at(p)).id().equals(node)) {
        return load.demand(p).correction();
      }
    }
    throw new AssertionError("nothing is on " + node);
  }

  @Test
  void whatAColdNodeUsesMoreStaysBehindAlsoAboveWhatIsTooMuch() {
    node("usual", IDLE + USED);
    NodeId cold = node("cold", IDLE + 3 * USED);

    assertThat(IDLE + 3 * USED).isGreaterThan(SETTINGS.health().high());
    assertThat(factor(seen(), cold)).isCloseTo(3, within(0.2));
    assertThat(factor(seen().withCold(Set.of(cold)), cold)).isCloseTo(1, within(0.1));
  }

  /** As then it is not because of cold caches. */
  @Test
  void whatRequestsCostMoreOnWarmNodesTheyCostMoreOnColdOnes() {
    node("usual", IDLE + 1.5 * USED);
    NodeId cold = node("cold", IDLE + 3 * USED);

    assertThat(factor(seen().withCold(Set.of(cold)), cold)).isCloseTo(1.5, within(0.1));
  }

  @Test
  void whatRequestsCostLessIsBelieved() {
    node("usual", IDLE + USED);
    NodeId cold = node("cold", IDLE + 0.5 * USED);

    assertThat(factor(seen().withCold(Set.of(cold)), cold)).isCloseTo(0.5, within(0.1));
  }

  @Test
  void whereAllAreColdTheyCostWhatIsPredicted() {
    NodeId one = node("one", IDLE + 2 * USED);
    NodeId other = node("other", IDLE + 3 * USED);
    Observation.Usable seen = seen().withCold(Set.of(one, other));

    assertThat(factor(seen, one)).isEqualTo(1);
    assertThat(factor(seen, other)).isEqualTo(1);
  }

  /** Else all disks would seem to be busier than is seen. */
  @Test
  void whatAColdNodesDiskReadsOnceSaysNothingOfTheOthers() {
    double misses = 100;
    double itsCpu = IDLE + misses * (READ + 40e-6);
    NodeId usual = cluster.node("usual", Profile.HOMOGENEOUS, Double.NaN, itsCpu, 4e-3 * misses);
    var bin = new BlockHistogram.Bin(500, 1e6);
    PartitionId missed = cluster.reads(usual, "missed", misses);
    blocks.add(BlockHistogram.ofReads(missed, List.of(bin), ByHand.BLOCK));
    NodeId cold = cluster.node("cold", Profile.HOMOGENEOUS, Double.NaN, IDLE + USED, 0.5);
    PartitionId found = cluster.reads(cold, "found", READS);
    var hot = new BlockHistogram.Bin(500, 100);
    blocks.add(BlockHistogram.ofReads(found, List.of(hot), ByHand.BLOCK));

    assertThat(seenOfDisks(seen())).isLessThan(0.6);
    assertThat(seenOfDisks(seen().withCold(Set.of(cold)))).isCloseTo(1, within(0.15));
  }

  private static double seenOfDisks(Observation.Usable seen) {
    return ((UsageBasis.Costs) ByHand.load(seen, SETTINGS).basis()).seen();
  }

  /** It would bring back what has just been moved to a cold node. */
  @Test
  void nothingIsMovedOffANodeThatIsOnlyCold() {
    node("usual", IDLE + USED);
    cluster.node("idle", Profile.HOMOGENEOUS, IDLE);
    NodeId cold = node("cold", IDLE + 3 * USED);
    Observation.Usable seen = seen();

    assertThat(Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, SETTINGS))
        .isInstanceOf(Decision.Act.class);
    Decision then =
        Policies.AUTOPILOT.decide(seen.withCold(Set.of(cold)), PolicyState.INITIAL, SETTINGS);
    assertThat(then).as("%s", then).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) then).reason())
        .contains("what requests cost more while caches fill is not counted on cold:1");
  }
}
