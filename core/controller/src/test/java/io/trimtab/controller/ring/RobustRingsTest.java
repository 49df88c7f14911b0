package io.trimtab.controller.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.Rings;
import io.trimtab.controller.ahead.Ahead;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.place.UsagePrediction.Origin;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.outlook.Outlook;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.CostSample;
import io.trimtab.models.usage.LearnedNodes;
import io.trimtab.testkit.Seeds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Where tokens place the data, nothing is decided by costs that are wrong by a fifth, also by what
 * a node uses for being awake, that is worse than to stay.
 *
 * <p>Judged by the true law: each node uses what it uses for being awake, and beyond that what it
 * is asked for, of which one that joins takes the same part from all, and one that leaves gives the
 * same part to all.
 *
 * <p>What is worse? That a node is above the target because another was given back. A node that
 * joins always relieves the others, so that it can only be worse by what it costs: none may join
 * that was not needed. Exactly this does not hold, and can't: how many are enough follows from what
 * nodes use for being awake, and who takes that for too much adds too many. But a prediction is
 * taken to be off by a tenth ({@code RingUsage.atWorst}), which no node is given back for, and the
 * last of those that join is needed within that: without it the most used node, a tenth more, would
 * be above the target.
 *
 * <p>Drawn rings do not find a node that seems to do next to nothing: see {@link RingNodesTest}.
 */
class RobustRingsTest {
  private static final int RINGS = 300;
  private static final double MORE = 1.2;
  private static final double LESS = 0.8;

  /** What a prediction is taken to be off by, as a share. */
  private static final double OFF = 0.1;

  private static final double READ = 2e-3;
  private static final double UPDATE = 1e-3;

  /** Of the disk; of the CPU a miss takes nothing. */
  private static final double MISS = 5e-3;

  /** Without a margin, the tenth alone is left free. */
  private static final Settings BARE =
      Settings.defaults()
          .with(Policies.AUTOPILOT)
          .with(UsageSettings.builder().ringMargin(0.0).build())
          .with(GuardSettings.builder().maxNodes(100).build());

  private static final Settings DEFAULTS =
      Settings.defaults()
          .with(Policies.AUTOPILOT)
          .with(GuardSettings.builder().maxNodes(100).build());

  private static final double TARGET = BARE.usage().target();

  /**
   * What is known wrongly.
   *
   * @param idle times what a node uses for being awake, and so on
   */
  record Wrong(String title, double idle, double read, double update, double miss) {
    Optional<LearnedNodes> learned(double awake) {
      CostLearner learner = CostLearner.NOTHING;
      for (int i = 0; i < 400; i++) {
        double reads = (37 * i) % 500;
        double updates = (53 * i) % 500;
        double misses = reads * (i % 13) / 13;
        double used = idle * awake + read * READ * reads + update * UPDATE * updates;
        learner =
            learner.with(new CostSample(reads, 0, 0, misses, updates, used, miss * MISS * misses));
      }
      return Optional.of(LearnedNodes.alike(learner.costs()));
    }

    @Override
    public String toString() {
      return title;
    }
  }

  static List<Wrong> wrong() {
    return List.of(
        new Wrong("nothing", 1, 1, 1, 1),
        new Wrong("awake, more", MORE, 1, 1, 1),
        new Wrong("awake, less", LESS, 1, 1, 1),
        new Wrong("all, more", MORE, MORE, MORE, MORE),
        new Wrong("all, less", LESS, LESS, LESS, LESS),
        new Wrong("awake, more, and requests, less", MORE, LESS, LESS, LESS),
        new Wrong("awake, less, and requests, more", LESS, MORE, MORE, MORE),
        new Wrong("reads, more, and updates, less", 1, MORE, LESS, 1));
  }

  /**
   * A ring and what is true of it.
   *
   * @param awake what each node uses without load
   * @param beyond what each uses besides
   * @param rise how much more will be asked for before long, as a factor
   */
  private record Ring(
      double awake, Map<NodeId, Double> beyond, double rise, Observation.Usable seen) {

    /** Nodes that are all asked for about as much, or each for anything. */
    static Ring drawn(long seed) {
      Random random = Seeds.random(seed);
      double awake = 0.3 * random.nextDouble();
      int nodes = 3 + random.nextInt(8);
      double mean = 0.96 * random.nextDouble();
      double spread = random.nextInt(3) == 0 ? 1 : 0.1;
      double rise = random.nextInt(3) == 0 ? 1 + 0.8 * random.nextDouble() : 1;
      if (random.nextInt(3) == 0) {
        // With one fewer each would be about as much used as it should be.
        double then = TARGET * (0.8 + 0.2 * random.nextDouble());
        mean = awake + (then - awake) * (nodes - 1) / nodes;
        spread = 0.03;
        rise = 1;
      }
      List<Double> beyond = new ArrayList<>();
      for (int i = 0; i < nodes; i++) {
        double used = mean * (1 + spread * (2 * random.nextDouble() - 1));
        beyond.add(Math.max(0.001, Math.min(0.96, used) - awake));
      }
      return of(awake, beyond, random.nextDouble(), rise);
    }

    /**
     * @param updates share of what nodes use beyond being awake that updates take, in [0, 1]
     */
    static Ring of(double awake, List<Double> beyond, double updates, double rise) {
      List<NodeState> nodes = new ArrayList<>();
      List<PartitionState> parts = new ArrayList<>();
      Map<NodeId, Double> used = new HashMap<>();
      Map<NodeId, Double> all = new TreeMap<>();
      Map<PartitionId, Rates> rates = new HashMap<>();
      for (int i = 0; i < beyond.size(); i++) {
        NodeId id = new NodeId("n%02d:9042".formatted(i));
        double its = beyond.get(i);
        nodes.add(node(id, Optional.empty(), awake + its, 0, NodeGauges.UNKNOWN));
        used.put(id, awake + its);
        all.put(id, its);
        PartitionId part = new PartitionId("k.t", id.name());
        parts.add(part(part, id));
        rates.put(part, new Rates((1 - updates) * its / READ, 0, 0, updates * its / UPDATE));
      }
      Observation.Usable seen =
          new Observation.Usable(
              Rings.snapshot(Instant.EPOCH, nodes, parts), rates, used, used, List.of());
      return new Ring(awake, all, rise, rise > 1 ? seen.with(foreseen(rise)) : seen);
    }

    private static Ahead foreseen(double factor) {
      Outlook peak = new Outlook(factor, factor, factor, "yesterday", Optional.empty());
      return new Ahead(within -> Map.of("k.t", peak), Optional.empty(), Optional.empty());
    }

    Decision decided(Wrong wrong, Settings settings) {
      return Policies.AUTOPILOT.decide(
          seen.with(wrong.learned(awake)), PolicyState.INITIAL, settings);
    }

    /** What the most used node uses after some actions, when so many times as much is asked for. */
    double most(List<Action> actions, double factor) {
      Map<NodeId, Double> then = new TreeMap<>(beyond);
      for (Action action : actions) {
        if (action instanceof Action.AddNode joins) {
          int nodes = then.size();
          double mean = then.values().stream().mapToDouble(b -> b).average().orElseThrow();
          then.replaceAll((node, its) -> its * nodes / (nodes + 1));
          then.put(joins.placeholder(), mean * nodes / (nodes + 1));
        } else if (action instanceof Action.RemoveNode leaves) {
          double its = then.remove(leaves.node());
          then.replaceAll((node, other) -> other + its / then.size());
        }
      }
      return awake + factor * Collections.max(then.values());
    }

    double most(double factor) {
      return most(List.of(), factor);
    }

    @Override
    public String toString() {
      return "awake %.3f, beyond %s, rise %.2f".formatted(awake, beyond, rise);
    }
  }

  private static NodeState node(
      NodeId id, Optional<Profile> profile, double cpu, double wait, NodeGauges gauges) {
    NodeUsage used = new NodeUsage(cpu, 0, wait, cpu);
    return new NodeState(id, 1, true, false, profile, profile.isPresent(), used, gauges);
  }

  private static PartitionState part(PartitionId id, NodeId at) {
    return new PartitionState(
        id, Optional.of(at), PartitionCounters.ZERO, 1, 1, 16384, KeyRange.ALL);
  }

  private static List<Action> actions(Decision.Act act) {
    return act.plan().actions().stream().map(PlannedAction::action).toList();
  }

  private static int joining(List<Action> actions) {
    return (int) actions.stream().filter(Action.AddNode.class::isInstance).count();
  }

  private static boolean leaves(List<Action> actions) {
    return actions.stream().anyMatch(Action.RemoveNode.class::isInstance);
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void whereANodeIsGivenBackNoOtherComesAboveTheTarget(Wrong wrong) {
    int given = 0;
    for (long seed = 0; seed < RINGS; seed++) {
      Ring ring = Ring.drawn(seed);
      for (Settings settings : List.of(BARE, DEFAULTS)) {
        if (ring.decided(wrong, settings) instanceof Decision.Act act && leaves(actions(act))) {
          given++;
          assertThat(act.predicted().orElseThrow().from()).isEqualTo(Origin.LEARNED);
          assertThat(ring.most(actions(act), 1))
              .as("seed %s, %s wrong, %s: %s", seed, wrong, ring, act.plan().summary())
              .isLessThanOrEqualTo(TARGET);
          // What may come, too, if there is a margin.
          assertThat(ring.most(actions(act), settings == DEFAULTS ? ring.rise() : 1))
              .as("seed %s, %s wrong, %s: %s", seed, wrong, ring, act.plan().summary())
              .isLessThanOrEqualTo(TARGET);
        }
      }
    }
    assertThat(given).as("nodes that are given back").isGreaterThan(RINGS / 20);
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void theLastNodeThatJoinsIsNeededWithinWhatAPredictionIsOffBy(Wrong wrong) {
    int plans = 0;
    int several = 0;
    for (long seed = 0; seed < RINGS; seed++) {
      Ring ring = Ring.drawn(seed);
      if (ring.decided(wrong, DEFAULTS) instanceof Decision.Act act && joining(actions(act)) > 0) {
        plans++;
        List<Action> joins =
            new ArrayList<>(
                actions(act).stream().filter(Action.AddNode.class::isInstance).toList());
        several += joins.size() > 1 ? 1 : 0;
        joins.remove(joins.size() - 1);
        assertThat((1 + OFF) * ring.most(joins, ring.rise()))
            .as("seed %s, %s wrong, %s: %s", seed, wrong, ring, act.plan().summary())
            .isGreaterThan(TARGET);
      }
    }
    assertThat(plans).as("plans by which nodes join").isGreaterThan(RINGS / 20);
    assertThat(several).as("by which several join").isGreaterThan(RINGS / 50);
  }

  /** What is done about nodes that are used too much, and what is done where none is. */
  @ParameterizedTest
  @MethodSource("wrong")
  void afterAnyActionOfAPlanTheMostUsedNodeIsWellOrUsedLessThanBefore(Wrong wrong) {
    int ends = 0;
    for (long seed = 0; seed < RINGS; seed++) {
      Ring ring = Ring.drawn(seed);
      if (ring.decided(wrong, BARE) instanceof Decision.Act act) {
        List<Action> actions = actions(act);
        for (int ended = 1; ended <= actions.size(); ended++) {
          ends++;
          assertThat(ring.most(actions.subList(0, ended), 1))
              .as("seed %s, %s wrong, %s, after %s of %s", seed, wrong, ring, ended, actions)
              .isLessThanOrEqualTo(Math.max(TARGET, ring.most(1) + 1e-9));
        }
      }
    }
    assertThat(ends).isGreaterThan(RINGS / 5);
  }

  /** Three nodes with small caches of rows, all used so much, of which they miss a share. */
  private static Observation.Usable small(double awake, double used, double missed) {
    Profile profile = new Profile("CUSTOM", 0.03, 0.20, 32 << 10);
    NodeGauges heap =
        new NodeGauges(-1, -1, 1L << 30, -1, -1, -1, -1, -1, -1, -1, -1, -1, Map.of());
    double reads = (used - awake) / (READ + MISS * missed);
    List<NodeState> nodes = new ArrayList<>();
    List<PartitionState> parts = new ArrayList<>();
    Map<NodeId, Double> usage = new HashMap<>();
    Map<NodeId, Double> misses = new HashMap<>();
    Map<PartitionId, Rates> rates = new HashMap<>();
    for (int i = 0; i < 3; i++) {
      NodeId id = new NodeId("n%02d:9042".formatted(i));
      double wait = MISS * missed * reads;
      nodes.add(node(id, Optional.of(profile), used - wait, wait, heap));
      usage.put(id, used);
      misses.put(id, missed);
      PartitionId part = new PartitionId("k.t", id.name());
      parts.add(part(part, id));
      rates.put(part, new Rates(reads, 0, 0, 0));
    }
    return new Observation.Usable(
            Rings.snapshot(Instant.EPOCH, nodes, parts), rates, usage, usage, List.of())
        .withMisses(misses);
  }

  /** By the right costs; what another cache hits is predicted from the same hit ratio by both. */
  @ParameterizedTest
  @MethodSource("wrong")
  void nodesThatAreConfiguredInsteadOfJoinedAreUsedLess(Wrong wrong) {
    Wrong right = wrong().get(0);
    int configured = 0;
    for (int i = 0; i < 400; i++) {
      double awake = 0.1 * (i % 4);
      double used = 0.82 + 0.02 * (i / 4 % 7);
      double missed = 0.04 * (1 + i / 28);
      Observation.Usable seen = small(awake, used, missed);
      Decision decision =
          Policies.AUTOPILOT.decide(seen.with(wrong.learned(awake)), PolicyState.INITIAL, DEFAULTS);
      if (decision instanceof Decision.Act act
          && !act.plan().actions(Action.Reconfigure.class).isEmpty()) {
        configured++;
        RingUsage truth =
            RingUsage.of(seen.with(right.learned(awake)), seen.snapshot().liveNodes())
                .configured(act.plan().actions())
                .orElseThrow();
        assertThat(truth.most(1))
            .as("awake %.2f, used %.2f, missed %.2f, %s wrong", awake, used, missed, wrong)
            .isLessThan(used)
            .isLessThanOrEqualTo((1 + OFF) * TARGET);
      }
    }
    assertThat(configured).as("plans that configure nodes").isPositive();
  }
}
