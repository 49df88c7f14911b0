package io.trimtab.engineapi.plan;

import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import java.util.List;
import java.util.Optional;

/**
 * One step of a plan. Every action is idempotent: executing it on a cluster that is already in its
 * target state changes nothing.
 */
public sealed interface Action {

  /** The name shown to operators: {@code move}, {@code reconfigure}, … */
  String kind();

  /** Calls the visitor's method for this kind of action. */
  <R, X extends Exception> R accept(ActionVisitor<R, X> visitor) throws X;

  /**
   * This action if it is of the given kind. For filtering only; to distinguish all kinds use {@link
   * #accept}.
   */
  default <A extends Action> Optional<A> as(Class<A> type) {
    return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
  }

  /** Moves a partition to a node. */
  record Move(PartitionId partition, NodeId from, NodeId to) implements Action {
    @Override
    public String kind() {
      return "move";
    }

    @Override
    public <R, X extends Exception> R accept(ActionVisitor<R, X> visitor) throws X {
      return visitor.move(this);
    }
  }

  /**
   * Splits a partition; the right half moves to a node, the left one stays.
   *
   * @param key first key of the right half
   * @param leftShare expected share of the requests that stay with the left half, in (0, 1)
   */
  record Split(PartitionId partition, RowKey key, double leftShare, NodeId at, NodeId rightTo)
      implements Action {
    @Override
    public String kind() {
      return "split";
    }

    @Override
    public <R, X extends Exception> R accept(ActionVisitor<R, X> visitor) throws X {
      return visitor.split(this);
    }
  }

  /**
   * Merges two adjacent partitions.
   *
   * @param range key range of the merged partition
   */
  record Merge(PartitionId left, PartitionId right, KeyRange range, RowKey boundary)
      implements Action {
    @Override
    public String kind() {
      return "merge";
    }

    @Override
    public <R, X extends Exception> R accept(ActionVisitor<R, X> visitor) throws X {
      return visitor.merge(this);
    }
  }

  /** Changes a node's memory split. */
  record Reconfigure(NodeId node, Profile from, Profile to, ApplyMode way) implements Action {
    @Override
    public String kind() {
      return "reconfigure";
    }

    @Override
    public <R, X extends Exception> R accept(ActionVisitor<R, X> visitor) throws X {
      return visitor.reconfigure(this);
    }
  }

  /** How a profile is applied. */
  enum ApplyMode {
    /** Online, by the plug-in; no partition is closed. */
    ONLINE,
    /** By a restart of the node's process; the plan must have moved its partitions away. */
    RESTART
  }

  /**
   * Changes a setting of a node online.
   *
   * @param from in the setting's unit
   * @param to in the setting's unit
   */
  record SetNode(NodeId node, NodeSetting setting, int from, int to) implements Action {
    @Override
    public String kind() {
      return "set";
    }

    @Override
    public <R, X extends Exception> R accept(ActionVisitor<R, X> visitor) throws X {
      return visitor.setNode(this);
    }
  }

  /** Sets the block size of a table's new store files. */
  record SetBlockSize(String table, int fromBytes, int toBytes) implements Action {
    @Override
    public String kind() {
      return "block-size";
    }

    @Override
    public <R, X extends Exception> R accept(ActionVisitor<R, X> visitor) throws X {
      return visitor.setBlockSize(this);
    }
  }

  /**
   * Rewrites a partition's store files, for locality or a new block size.
   *
   * @param belowLocality only done while the partition's locality is below this, in [0, 1]; 2 =
   *     always
   */
  record Compact(PartitionId partition, double belowLocality) implements Action {
    /** For {@code belowLocality}: at any locality. */
    public static final double ALWAYS = 2;

    @Override
    public String kind() {
      return "compact";
    }

    @Override
    public <R, X extends Exception> R accept(ActionVisitor<R, X> visitor) throws X {
      return visitor.compact(this);
    }
  }

  /**
   * Starts a new node.
   *
   * @param ordinal 1, 2, … among the plan's new nodes; other actions of the plan refer to the node
   *     by {@link #placeholder()} until it exists
   * @param tokens the node's tokens in a ring; empty if the engine chooses them, or if there is no
   *     ring
   */
  record AddNode(int ordinal, Profile profile, List<Long> tokens) implements Action {
    public AddNode {
      // Older journals know none.
      tokens = tokens == null ? List.of() : List.copyOf(tokens);
    }

    public AddNode(int ordinal, Profile profile) {
      this(ordinal, profile, List.of());
    }

    @Override
    public String kind() {
      return "add-node";
    }

    @Override
    public <R, X extends Exception> R accept(ActionVisitor<R, X> visitor) throws X {
      return visitor.addNode(this);
    }

    public NodeId placeholder() {
      return new NodeId("new-" + ordinal);
    }
  }

  /**
   * Starts a node that takes over the ranges of a dead one.
   *
   * @param ordinal as for {@link AddNode}
   */
  record ReplaceNode(int ordinal, NodeId dead, Profile profile) implements Action {
    @Override
    public String kind() {
      return "replace-node";
    }

    @Override
    public <R, X extends Exception> R accept(ActionVisitor<R, X> visitor) throws X {
      return visitor.replaceNode(this);
    }

    public NodeId placeholder() {
      return new NodeId("new-" + ordinal);
    }
  }

  /** Deletes a node's data of ranges that now belong to other nodes. */
  record Cleanup(NodeId node) implements Action {
    @Override
    public String kind() {
      return "cleanup";
    }

    @Override
    public <R, X extends Exception> R accept(ActionVisitor<R, X> visitor) throws X {
      return visitor.cleanup(this);
    }
  }

  /** Closes a node for new partitions; the plan's moves then empty it. */
  record DrainNode(NodeId node) implements Action {
    @Override
    public String kind() {
      return "drain";
    }

    @Override
    public <R, X extends Exception> R accept(ActionVisitor<R, X> visitor) throws X {
      return visitor.drainNode(this);
    }
  }

  /** Stops an empty node and releases its machine. */
  record RemoveNode(NodeId node) implements Action {
    @Override
    public String kind() {
      return "remove-node";
    }

    @Override
    public <R, X extends Exception> R accept(ActionVisitor<R, X> visitor) throws X {
      return visitor.removeNode(this);
    }
  }
}
