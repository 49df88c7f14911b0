package io.trimtab.simulator;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** Decides by a seed when which fault strikes. */
final class FaultScript {
  private static final Kind[] SNAPSHOT_KINDS = {Kind.FAIL, Kind.GAP, Kind.NAN, Kind.STALE};
  private static final Kind[] VERB_KINDS = {Kind.FAIL, Kind.HANG, Kind.LATE, Kind.SLOW};
  private static final Verb[] VERBS = {
    Verb.MOVE,
    Verb.SET_BALANCER,
    Verb.APPLY_PROFILE,
    Verb.COMPACT,
    Verb.SET_DRAINING,
    Verb.AWAIT_NODE,
    Verb.VACATE,
    Verb.CLEANUP,
    Verb.ADD,
    Verb.REMOVE,
    Verb.RESTART,
    Verb.SPLIT,
    Verb.SET_BLOCK_SIZE,
    Verb.REPLACE,
    Verb.MERGE,
    Verb.SET,
    Verb.PERSIST,
    Verb.TAKE_CONTROL
  };

  /** Verbs that begin where a controller reaches a point of this name. */
  private static final Map<String, Verb> BEGINNING =
      Map.ofEntries(
          Map.entry("balancer", Verb.SET_BALANCER),
          Map.entry("move", Verb.MOVE),
          Map.entry("compact", Verb.COMPACT),
          Map.entry("drain", Verb.SET_DRAINING),
          Map.entry("await-node", Verb.AWAIT_NODE),
          Map.entry("vacate", Verb.VACATE),
          Map.entry("cleanup", Verb.CLEANUP),
          Map.entry("add-node", Verb.ADD),
          Map.entry("replace-node", Verb.REPLACE),
          Map.entry("remove-node", Verb.REMOVE),
          Map.entry("restart", Verb.RESTART),
          Map.entry("persist", Verb.PERSIST));

  /** Faults are so much more frequent while a controller tidies up, which takes moments. */
  private static final int TIDYING = 4;

  private final Episode episode;
  private final Random random;

  /** Points per fault: some seeds are calm, some are not. */
  private final int rarity;

  /** Dead nodes, and when each comes back. */
  private final SortedMap<NodeId, Instant> down = new TreeMap<>();

  /** What an operator moved last, and where: some insist. */
  private Optional<PartitionId> wanted = Optional.empty();

  private Optional<NodeId> home = Optional.empty();
  private Instant spaceAgain = Instant.MAX;
  private boolean striking;

  FaultScript(Episode episode, Random random) {
    this.episode = episode;
    this.random = random;
    this.rarity = 20 << random.nextInt(5);
  }

  /** A line of a journal is about to be written. */
  void beforeWrite() {
    heal();
  }

  /** Whatever is broken is repaired when its time has come. */
  private void heal() {
    if (!episode.now().isBefore(spaceAgain)) {
      episode.hosts().forEach(host -> host.full(false));
      spaceAgain = Instant.MAX;
    }
    for (NodeId node : List.copyOf(down.keySet())) {
      if (!episode.now().isBefore(down.get(node))) {
        start(node);
      }
    }
  }

  private void start(NodeId node) {
    try {
      if (episode.truth().node(node).filter(n -> !n.alive()).isPresent()) {
        episode.cluster().start(node);
        episode.log(null, node + " is started again");
      }
    } catch (IllegalArgumentException e) {
      episode.log(null, node + " was replaced or removed meanwhile");
    }
    down.remove(node);
  }

  /** The time of faults is over. */
  void end() {
    episode.cluster().faults().clear();
    episode.hosts().forEach(host -> host.full(false));
    List.copyOf(down.keySet()).forEach(this::start);
  }

  /** Whether a fault is striking: nothing else happens meanwhile. */
  boolean striking() {
    return striking;
  }

  /** What was scripted has come. */
  void struck(Verb verb, Kind kind) {
    if (striking) {
      return;
    }
    episode.count(verb == Verb.SNAPSHOT ? FaultKind.BAD_SNAPSHOT : FaultKind.BAD_VERB);
    if (kind == Kind.LATE && random.nextInt(4) == 0) {
      // Who sees that something hangs may want it to end.
      asksForStop();
    }
  }

  /** A controller touches something outside itself. */
  void strike(SimulatedController controller, String point) {
    if (striking) {
      return;
    }
    heal();
    boolean tidies = controller.phase() == SimulatedController.Phase.TIDYING;
    if (random.nextInt(tidies ? rarity / TIDYING : rarity) != 0) {
      return;
    }
    FaultKind[] kinds = FaultKind.values();
    FaultKind kind = kinds[random.nextInt(kinds.length)];
    striking = kind != FaultKind.FREEZE && kind != FaultKind.CUT;
    Instant at = episode.now();
    try {
      if (happens(kind, controller)) {
        episode.log(controller, "at " + point + ": " + kind);
        if (kind != FaultKind.BAD_SNAPSHOT && kind != FaultKind.BAD_VERB) {
          episode.count(kind, controller);
        }
        happen(kind, controller, point);
      }
    } catch (EngineException e) {
      episode.log(controller, kind + " came to nothing: " + e.getMessage());
    } finally {
      striking = false;
      if (at.isBefore(episode.now())) {
        // An operator took time of his own, in which this controller stood still.
        controller.woke();
      }
    }
  }

  private boolean happens(FaultKind kind, SimulatedController controller) {
    return switch (kind) {
      case CUT, LOCK_LOST -> controller.inCharge();
      case FREEZE -> !controller.isSending();
      case BALANCER_ON -> episode.balancerOn();
      case MOST_DIE -> down.isEmpty() && episode.truth().liveNodes().size() > 2;
      case NODE_DIES ->
          down.isEmpty() && episode.truth().liveNodes().size() > 1 + episode.truth().replication();
      default -> true;
    };
  }

  private void happen(FaultKind kind, SimulatedController controller, String point)
      throws EngineException {
    switch (kind) {
      case KILL -> {
        if (controller.inCharge()) {
          episode.cluster().control().cutOff();
        }
        controller.kill();
      }
      case FREEZE -> freeze(controller);
      case CUT -> episode.cluster().control().cutOff();
      case LOCK_LOST -> episode.cluster().control().lose();
      case CLOCK_STEP -> {
        controller.stepClock(Duration.ofMinutes(random.nextInt(121) - 60));
        episode.clockStepped();
      }
      case BAD_SNAPSHOT -> {
        for (int i = 0; i <= random.nextInt(3); i++) {
          badSnapshot();
        }
      }
      case BAD_VERB -> badVerb(point);
      case FULL_DISK -> {
        controller.host().full(true);
        spaceAgain = episode.now().plusSeconds(10 + random.nextInt(120));
      }
      case NODE_DIES -> die(1, 400);
      case MOST_DIE -> die(episode.truth().liveNodes().size() / 2 + 1, 120);
      case BALANCER_ON -> episode.cluster().engine().setBalancer(Episode.ON);
      case OPERATOR_ACTS -> operatorActs();
      case STOP -> asksForStop();
    }
  }

  private void asksForStop() {
    episode.cluster().control().requestStop("an operator");
    episode.oracle().stopAsked();
  }

  /** The operation that begins here, or one of the next ones of some verb. */
  private void badVerb(String point) {
    Kind kind = VERB_KINDS[random.nextInt(VERB_KINDS.length)];
    Verb verb = BEGINNING.get(point);
    if (verb != null) {
      episode.cluster().faults().on(verb, 1, kind);
    } else {
      verb = VERBS[random.nextInt(VERBS.length)];
      episode.cluster().faults().on(verb, 1 + random.nextInt(3), kind);
    }
  }

  /** While it stands still nobody hears of it; for long enough, another one takes over. */
  private void freeze(SimulatedController controller) {
    Duration time = Duration.ofSeconds(1 + random.nextInt(60));
    boolean long_ = time.compareTo(Duration.ofSeconds(8)) >= 0;
    if (controller.inCharge() && long_) {
      episode.cluster().control().cutOff();
    }
    episode.elsewhere(time);
    controller.woke();
    episode.log(controller, "wakes up after " + time.toSeconds() + " s");
  }

  private void badSnapshot() {
    Kind kind = SNAPSHOT_KINDS[random.nextInt(SNAPSHOT_KINDS.length)];
    List<NodeState> nodes = episode.truth().nodes();
    int nth = 1 + random.nextInt(4);
    if (nodes.isEmpty()) {
      episode.cluster().faults().on(Verb.SNAPSHOT, nth, kind);
    } else {
      NodeId node = nodes.get(random.nextInt(nodes.size())).id();
      episode.cluster().faults().on(Verb.SNAPSHOT, node, nth, kind);
    }
  }

  /** Some nodes die, and come back by and by. */
  private void die(int count, int secondsMax) {
    List<NodeState> live = new ArrayList<>(episode.truth().liveNodes());
    for (int i = 0; i < count && !live.isEmpty(); i++) {
      NodeId victim = live.remove(random.nextInt(live.size())).id();
      episode.cluster().kill(victim);
      down.put(victim, episode.now().plusSeconds(5 + random.nextInt(secondsMax)));
    }
  }

  private void operatorActs() throws EngineException {
    ClusterSnapshot now = episode.truth();
    if (now.partitions().isEmpty() || now.liveNodes().isEmpty()) {
      return;
    }
    NodeId node = now.liveNodes().get(random.nextInt(now.liveNodes().size())).id();
    if (now.ownership() == Ownership.TOKENS) {
      episode.cluster().engine().cleanup(node, Duration.ofMinutes(1));
    } else if (now.partitionsInTransition() == 0) {
      PartitionState partition = now.partitions().get(random.nextInt(now.partitions().size()));
      boolean insists =
          wanted.flatMap(now::partition).isPresent()
              && home.flatMap(now::node).filter(NodeState::alive).isPresent()
              && random.nextInt(3) != 0;
      wanted = insists ? wanted : Optional.of(partition.id());
      home = insists ? home : Optional.of(node);
      episode.cluster().engine().move(wanted.get(), home.get(), Duration.ofMinutes(1));
    }
  }
}
