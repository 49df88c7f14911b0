package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.time.Duration;
import java.util.Optional;

/** What can be done with partitions where they are assigned. */
final class PartitionVerbs {
  private final ClusterState state;
  private final VerbRunner runner;

  PartitionVerbs(ClusterState state, VerbRunner runner) {
    this.state = state;
    this.runner = runner;
  }

  private void refuseRing() throws EngineException {
    if (state.ring()) {
      throw new EngineException("data are placed by the nodes' tokens: nothing can be moved");
    }
  }

  private PartitionModel known(PartitionId id) throws EngineException {
    PartitionModel p = state.partitions.get(id);
    if (p == null) {
      throw new EngineException("partition " + id + " does not exist");
    }
    return p;
  }

  private NodeModel open(NodeId id) throws EngineException {
    NodeModel node =
        state.live(id).orElseThrow(() -> new EngineException("node " + id + " does not serve"));
    if (node.draining) {
      throw new EngineException("node " + id + " is draining and takes no partitions");
    }
    return node;
  }

  void move(PartitionId id, NodeId to, Duration limit) throws EngineException {
    refuseRing();
    synchronized (state) {
      runner.advance();
      PartitionModel p = known(id);
      if (p.node != null && p.node.id.equals(to) && !state.inTransition.contains(id)) {
        return;
      }
      open(to);
      begin(p);
    }
    runner.run(
        Verb.MOVE,
        to,
        "the move of partition " + id + " to node " + to,
        state.spec.times().move(),
        limit,
        () -> {
          PartitionModel p = known(id);
          state.place(p, open(to));
          state.inTransition.remove(id);
        },
        () -> end(id));
  }

  private void begin(PartitionModel p) throws EngineException {
    if (!state.inTransition.add(p.id)) {
      throw new EngineException("partition " + p.id + " is in transition");
    }
  }

  /** Served where it was, unless that node has died meanwhile. */
  private void end(PartitionId id) {
    PartitionModel p = state.partitions.get(id);
    if (p == null || p.node != null) {
      state.inTransition.remove(id);
    }
  }

  void split(PartitionId id, RowKey key, NodeId rightTo, Duration limit) throws EngineException {
    refuseRing();
    synchronized (state) {
      runner.advance();
      Optional<PartitionModel> right = at(id.table(), key);
      if (right.isPresent()) {
        if (right.get().node == null || !right.get().node.id.equals(rightTo)) {
          open(rightTo);
          state.place(right.get(), state.nodes.get(rightTo));
        }
        return;
      }
      PartitionModel p = known(id);
      if (!p.range.splitsAt(key)) {
        throw new EngineException("the key " + key + " is not strictly inside " + id);
      }
      open(rightTo);
      begin(p);
    }
    runner.run(
        Verb.SPLIT,
        rightTo,
        "the split of partition " + id,
        state.spec.times().move().multipliedBy(4),
        limit,
        () -> {
          PartitionModel p = known(id);
          if (p.node == null) {
            throw new EngineException(id + " is not served");
          }
          NodeModel to = open(rightTo);
          PartitionModel left = state.partition(p.table, new KeyRange(p.range.start(), key));
          PartitionModel right = state.partition(p.table, new KeyRange(key, p.range.end()));
          double share = (left.to - left.from) / (p.to - p.from);
          left.bytes = p.bytes * share;
          right.bytes = p.bytes - left.bytes;
          state.place(left, p.node);
          state.place(right, to);
          left.locality = p.locality;
          right.locality = to == p.node ? p.locality : 0;
          state.forget(p);
        },
        () -> end(id));
  }

  /** The partition that begins at a key. */
  private Optional<PartitionModel> at(String table, RowKey start) {
    return state.partitions.values().stream()
        .filter(p -> p.id.table().equals(table) && p.range.start().equals(start))
        .findFirst();
  }

  void merge(PartitionId leftId, PartitionId rightId, KeyRange range, Duration limit)
      throws EngineException {
    refuseRing();
    synchronized (state) {
      runner.advance();
      Optional<PartitionModel> done = at(leftId.table(), range.start());
      if (done.isPresent() && done.get().range.equals(range)) {
        return;
      }
      PartitionModel left = known(leftId);
      PartitionModel right = known(rightId);
      if (left.table != right.table || !left.range.touches(right.range)) {
        throw new EngineException(leftId + " and " + rightId + " are not neighbours");
      }
      begin(left);
      begin(right);
    }
    runner.run(
        Verb.MERGE,
        null,
        "the merge of " + leftId + " and " + rightId,
        state.spec.times().move().multipliedBy(4),
        limit,
        () -> {
          PartitionModel left = known(leftId);
          PartitionModel right = known(rightId);
          if (left.node == null || right.node == null) {
            throw new EngineException(leftId + " and " + rightId + " are not both served");
          }
          PartitionModel whole =
              state.partition(left.table, new KeyRange(left.range.start(), right.range.end()));
          whole.bytes = left.bytes + right.bytes;
          state.place(whole, left.node);
          whole.locality = left.locality;
          state.forget(left);
          state.forget(right);
        },
        () -> {
          end(leftId);
          end(rightId);
        });
  }

  void setBlockSize(String table, int bytes, Duration limit) throws EngineException {
    if (state.ring()) {
      throw new EngineException("table " + table + ": this engine has no block size to set");
    }
    synchronized (state) {
      runner.advance();
      TableModel model = state.tables.get(table);
      if (model == null || bytes <= 0) {
        throw new EngineException("table " + table + " can't have blocks of " + bytes + " bytes");
      }
      if (model.blockBytes == bytes) {
        return;
      }
    }
    runner.run(
        Verb.SET_BLOCK_SIZE,
        null,
        "the block size of table " + table,
        state.spec.times().change(),
        limit,
        () -> state.tables.get(table).blockBytes = bytes,
        () -> {});
  }

  void compact(PartitionId id, Duration limit) throws EngineException {
    double bytes;
    synchronized (state) {
      runner.advance();
      bytes = known(id).bytes;
    }
    runner.run(
        Verb.COMPACT,
        null,
        "the compaction of partition " + id,
        state.spec.times().compaction(bytes),
        limit,
        () -> {
          PartitionModel p = known(id);
          p.locality = 1;
          if (p.blockBytes != p.table.blockBytes) {
            p.blockBytes = p.table.blockBytes;
            p.warm = 0;
            if (p.node != null) {
              p.node.changed = true;
            }
          }
        },
        () -> {});
  }
}
