package io.trimtab.controller.place;

import io.trimtab.engineapi.NodeId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Usage of the nodes after a plan, as a policy predicts it for as much load as there is now, so
 * that it can be compared with what is measured soon after.
 *
 * @param from what it is predicted from
 * @param usage of all nodes that plans count on, ≥ 0; above 1 where a node can't serve its load.
 *     Nodes to be added go by their placeholders
 */
public record UsagePrediction(Origin from, SortedMap<NodeId, Double> usage) {
  /** What usage is predicted from. */
  public enum Origin {
    BUILT("built", "the built model"),
    LEARNED("learned", "what requests cost so far"),
    REQUESTS("requests", "requests alone");

    private final String word;
    private final String title;

    Origin(String word, String title) {
      this.word = word;
      this.title = title;
    }

    /** The end of "predicted from …". */
    public String title() {
      return title;
    }

    /** One word, for tables and JSON. */
    @Override
    public String toString() {
      return word;
    }
  }

  public UsagePrediction {
    usage = Collections.unmodifiableSortedMap(new TreeMap<>(usage));
  }

  /** Of the most used node; 0 without nodes. */
  public double most() {
    return usage.values().stream().mapToDouble(u -> u).max().orElse(0);
  }
}
