package io.trimtab.controller.health;

import static io.trimtab.controller.health.UnreadCluster.id;
import static io.trimtab.controller.health.UnreadCluster.partition;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decider;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.NodeModel;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Decisions about the others go on, and plan nothing with what was not read. */
class QuarantineTest {
  private static final Settings SETTINGS =
      Settings.defaults()
          .with(Policies.AUTOPILOT)
          .with(GuardSettings.builder().maxNodes(4).build());
  private static final int SAMPLES = 6;

  /** Four nodes, of which one has the two hottest of eight partitions. */
  private final InMemoryCluster cluster =
      new InMemoryCluster(
          ClusterSpec.assigned(
              1,
              4,
              TableSpec.of("t", 8, 64 << 20, Access.reads(25_000))
                  .with(KeyDistribution.zipf(29, 8, 0.7))));

  private History history = History.EMPTY;

  private Observation.Usable look(int samples) throws Exception {
    cluster.engine().startCounting();
    for (int i = 0; i < samples; i++) {
      cluster.clock().advance(Duration.ofSeconds(30));
      history = history.append(cluster.engine().snapshot(), SETTINGS.observe());
    }
    Observation seen = Observation.of(history, cluster.clock().instant(), SETTINGS.observe());
    assertThat(seen).as("%s", seen).isInstanceOf(Observation.Usable.class);
    return ((Observation.Usable) seen)
        .with(cluster.engine().splitHints())
        .with(cluster.engine().histograms(), NodeModel.usage());
  }

  private Decider.NextStep decide(Observation.Usable seen) {
    return Decider.decide(
        new Decider.Context(
            seen,
            new TreeMap<>(),
            PolicyState.INITIAL,
            SETTINGS,
            Decider.Past.NONE,
            Optional.of(NodeCapacity.of(0)),
            true,
            cluster.clock().instant()));
  }

  private static Set<NodeId> touched(PlannedAction planned) {
    Set<NodeId> nodes = new TreeSet<>();
    planned.action().as(Action.Move.class).ifPresent(m -> nodes.addAll(List.of(m.from(), m.to())));
    planned
        .action()
        .as(Action.Split.class)
        .ifPresent(split -> nodes.addAll(List.of(split.at(), split.rightTo())));
    return nodes;
  }

  @Test
  void theOthersAreRelievedWhileOneNodeDoesNotAnswer() throws Exception {
    Observation.Usable whole = look(SAMPLES);
    NodeId hottest =
        whole.usage().entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    List<PlannedAction> before = ((Decider.Go) decide(whole)).act().plan().actions();
    NodeId other =
        before.stream()
            .flatMap(planned -> touched(planned).stream())
            .filter(node -> !node.equals(hottest))
            .findFirst()
            .orElseThrow();
    cluster.faults().always(Verb.SNAPSHOT, other, Kind.GAP);

    Decider.NextStep step = decide(look(SAMPLES));

    assertThat(step).as("%s", step).isInstanceOf(Decider.Go.class);
    List<PlannedAction> actions = ((Decider.Go) step).act().plan().actions();
    assertThat(actions).flatExtracting(QuarantineTest::touched).contains(hottest);
    assertThat(actions).flatExtracting(QuarantineTest::touched).doesNotContain(other);
  }

  @Test
  void beyondTheLimitNothingIsDecidedAndThatIsTold() throws Exception {
    look(SAMPLES);
    cluster.faults().always(Verb.SNAPSHOT, Kind.GAP);
    Observation.Usable one = look(1);
    List<NodeState> nodes = new ArrayList<>(one.snapshot().nodes());
    nodes.set(1, unreadable(nodes.get(1), one));
    ClusterSnapshot half =
        one.snapshot().with(nodes, one.snapshot().partitions(), one.snapshot().gaps());

    assertThat(decide(one.on(half)))
        .isInstanceOfSatisfying(
            Decider.Refusal.class,
            refusal -> {
              assertThat(refusal.setting()).isEqualTo("guard.badNodesMax");
              assertThat(refusal.reason()).contains("2 could not be read");
            });
  }

  private static NodeState unreadable(NodeState node, Observation.Usable like) {
    return node.with(like.snapshot().unreadNodes().get(0).read());
  }

  @Test
  void aPolicySeesNeitherTheNodeNorItsPartitions() {
    ClusterSnapshot all = UnreadCluster.of(Ownership.ASSIGNED, 5, 0.5, 0);
    ClusterSnapshot seen = Quarantine.without(UnreadCluster.seen(all)).snapshot();
    assertThat(seen.nodes()).extracting(NodeState::id).containsExactly(id(1), id(2), id(3), id(4));
    assertThat(seen.partitions().stream().map(PartitionState::id).collect(Collectors.toSet()))
        .isEqualTo(Set.of(partition(1), partition(2), partition(3), partition(4)));
    Observation.Usable whole = UnreadCluster.seen(UnreadCluster.of(Ownership.ASSIGNED, 5, 0.5));
    assertThat(Quarantine.without(whole)).isSameAs(whole);
    assertThat(Quarantine.settings(whole.snapshot(), SETTINGS)).isSameAs(SETTINGS);
    assertThat(Quarantine.settings(all, SETTINGS).place().blockSizes()).isFalse();
  }

  @Test
  void aNodesLoadCountsMoreWithEachMinute() {
    NodeState node = UnreadCluster.of(Ownership.ASSIGNED, 5, 0.5).nodes().get(0);
    NodeState unread =
        node.with(UnreadCluster.of(Ownership.ASSIGNED, 5, 0.5, 0).nodes().get(0).read().since(120));
    HealthSettings health = HealthSettings.builder().unreadGrowth(0.1).build();
    assertThat(Quarantine.usage(node, health)).isEqualTo(0.5);
    assertThat(Quarantine.usage(unread, health)).isEqualTo(0.7);
    assertThat(Quarantine.usage(node.with(unread.read().since(6_000)), health)).isEqualTo(1);
  }

  @Test
  void aNodeThatCanBeReadAgainIsPlannedWithAgain() throws Exception {
    look(SAMPLES);
    NodeId node = cluster.engine().snapshot().partitions().get(0).node().orElseThrow();
    cluster.faults().always(Verb.SNAPSHOT, node, Kind.GAP);
    Observation.Usable unread = look(1);
    PartitionId its =
        unread.snapshot().partitions().stream()
            .filter(p -> p.node().filter(node::equals).isPresent())
            .findFirst()
            .orElseThrow()
            .id();
    assertThat(unread.rates(its).total()).as("as it was last seen").isPositive();
    cluster.faults().clear();

    Observation.Usable again = look(1);

    assertThat(again.snapshot().unreadNodes()).isEmpty();
    assertThat(Quarantine.without(again)).isSameAs(again);
  }
}
