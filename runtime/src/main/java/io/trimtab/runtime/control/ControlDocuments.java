package io.trimtab.runtime.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.DamagedDocumentException;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.SharedState;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.EntryJson;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import io.trimtab.runtime.journal.Memory;
import io.trimtab.runtime.ports.ClusterState;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The documents that a controller keeps with the cluster, as JSON: the open plan, its progress,
 * what is remembered of earlier plans, and what a command has taken out of service. With them a
 * controller on any host can continue.
 */
public final class ControlDocuments {
  /** Documents of another format are not read: a newer version wrote them. */
  static final int FORMAT = 1;

  public static final String PLAN = "plan";
  static final String PROGRESS = "progress";
  static final String MEMORY = "memory";
  static final String HOLD = "balancer";
  static final String EMPTIED = "emptied";

  private ControlDocuments() {}

  /** A plan that was begun; deleted when it has ended. */
  record PlanDocument(int format, Entry.PlanStarted started) {}

  /**
   * How far a plan has come.
   *
   * @param ended steps that were done or skipped
   * @param begun steps that were begun and have not ended, with the time of their first begin
   * @param added nodes by the plan's placeholders
   */
  record Progress(
      int format,
      String planId,
      List<Integer> ended,
      Map<Integer, Instant> begun,
      List<AddedNode> added) {}

  /** The node of a placeholder. */
  record AddedNode(NodeId placeholder, NodeId node) {}

  /** The engine's own balancing is off between plans; before that it was so. */
  record HoldDocument(int format, BalancerState before) {}

  /** A node is out of service. */
  record EmptiedDocument(int format, EmptiedNode emptied) {}

  /** What earlier plans left behind. */
  record MemoryDocument(int format, Memory memory) {}

  /**
   * What earlier controllers left with the cluster.
   *
   * @param memory empty if no controller of this version has ever ended a plan
   * @param open a plan that has not ended
   */
  public record Found(Optional<Memory> memory, Optional<Journal.Unfinished> open) {
    public boolean nothing() {
      return memory.isEmpty() && open.isEmpty();
    }

    /**
     * What a controller begins with: this, or what this host has recorded of controllers of before
     * that left nothing with the cluster.
     */
    public JournalState orRecorded(ClusterState state) {
      return nothing() ? JournalState.of(state.recorded()) : JournalState.of(memory, open);
    }
  }

  /**
   * Reads what earlier controllers left.
   *
   * @throws UnreadableStateException if a document is damaged or of a newer version
   */
  public static Found read(SharedState shared) throws EngineException {
    Optional<Memory> memory =
        read(shared, MEMORY, MemoryDocument.class).map(MemoryDocument::memory);
    Optional<Entry.PlanStarted> plan =
        read(shared, PLAN, PlanDocument.class).map(PlanDocument::started);
    if (plan.isEmpty() || ended(plan.get(), memory)) {
      return new Found(memory, Optional.empty());
    }
    Entry.PlanStarted started = plan.get();
    Optional<Progress> progress =
        read(shared, PROGRESS, Progress.class).filter(p -> p.planId().equals(started.plan().id()));
    Map<NodeId, NodeId> added = new TreeMap<>();
    progress.ifPresent(p -> p.added().forEach(a -> added.put(a.placeholder(), a.node())));
    return new Found(
        memory,
        Optional.of(
            new Journal.Unfinished(
                started.plan(),
                started.before(),
                started.next(),
                started.at(),
                new TreeSet<>(progress.map(Progress::ended).orElse(List.of())),
                new TreeMap<>(progress.map(Progress::begun).orElse(Map.of())),
                added,
                Optional.ofNullable(started.users()),
                Optional.ofNullable(started.from()))));
  }

  /**
   * The state to which the engine's own balancing is to be restored; empty if it is not held.
   *
   * @throws UnreadableStateException if the document is damaged or of a newer version
   */
  public static Optional<BalancerState> hold(SharedState shared) throws EngineException {
    return read(shared, HOLD, HoldDocument.class).map(HoldDocument::before);
  }

  /**
   * The node that a command has taken out of service and that is not put back whole; empty if there
   * is none. While it has partitions to be moved back, an open plan is one that moves them.
   *
   * @throws UnreadableStateException if the document is damaged or of a newer version
   */
  public static Optional<EmptiedNode> emptied(SharedState shared) throws EngineException {
    return read(shared, EMPTIED, EmptiedDocument.class).map(EmptiedDocument::emptied);
  }

  /**
   * The state to which the engine's own balancing is to be restored, between plans or after the
   * open one; empty if no controller keeps it off.
   */
  public static Optional<BalancerState> keptOff(SharedState shared) throws EngineException {
    Optional<BalancerState> held = hold(shared);
    return held.isPresent() ? held : pausedBy(read(shared).open());
  }

  /** What an open plan restores at its end; empty where balancing was off before, too. */
  public static Optional<BalancerState> pausedBy(Optional<Journal.Unfinished> open) {
    return open.map(Journal.Unfinished::before)
        .filter(before -> !before.equals(BalancerState.PAUSED));
  }

  /** Its controller was killed after it had noted the end and before it deleted the plan. */
  private static boolean ended(Entry.PlanStarted plan, Optional<Memory> memory) {
    return memory.filter(m -> plan.plan().id().equals(m.lastPlan())).isPresent();
  }

  /** A document of the present format. */
  static <T> Optional<T> read(SharedState shared, String name, Class<T> type)
      throws EngineException {
    Optional<byte[]> content;
    try {
      content = shared.read(name);
    } catch (DamagedDocumentException e) {
      throw new UnreadableStateException(name, "it is damaged: " + e.damage(), e);
    }
    if (content.isEmpty()) {
      return Optional.empty();
    }
    try {
      JsonNode tree = EntryJson.MAPPER.readTree(content.get());
      int format = tree.path("format").asInt(-1);
      if (format != FORMAT) {
        throw new UnreadableStateException(
            name, "it has format " + format + ", and this version reads format " + FORMAT);
      }
      return Optional.of(EntryJson.MAPPER.treeToValue(tree, type));
    } catch (IOException e) {
      throw new UnreadableStateException(name, "it is damaged", e);
    }
  }

  static byte[] plan(Entry.PlanStarted started) {
    return bytes(new PlanDocument(FORMAT, started));
  }

  static byte[] progress(Journal.Unfinished open) {
    return bytes(
        new Progress(
            FORMAT,
            open.plan().id(),
            List.copyOf(open.ended()),
            open.begun(),
            open.added().entrySet().stream()
                .map(e -> new AddedNode(e.getKey(), e.getValue()))
                .toList()));
  }

  static byte[] hold(BalancerState before) {
    return bytes(new HoldDocument(FORMAT, before));
  }

  static byte[] emptied(EmptiedNode emptied) {
    return bytes(new EmptiedDocument(FORMAT, emptied));
  }

  static byte[] memory(Memory memory) {
    return bytes(new MemoryDocument(FORMAT, memory));
  }

  static byte[] bytes(Object document) {
    try {
      return EntryJson.MAPPER.writeValueAsBytes(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a control document can't be written", e);
    }
  }
}
