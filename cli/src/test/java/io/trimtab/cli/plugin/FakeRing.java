package io.trimtab.cli.plugin;

import io.trimtab.cassandra.ranking.RankingNodes;
import io.trimtab.engineapi.NodeId;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Nodes in memory, with and without the plug-in. */
final class FakeRing implements RankingNodes {
  private static final String[] RANKINGS = {"random", "c3", "trimtab", "off"};

  private final List<RingNode> members = new ArrayList<>();
  private final Map<NodeId, FakeNode> nodes = new HashMap<>();

  /** One of them. */
  static final class FakeNode implements Bean {
    final Map<String, Object> values = new TreeMap<>();
    private boolean loaded = true;
    private String silent = "";
    private String fragile = "";
    private CountDownLatch together = new CountDownLatch(0);

    private FakeNode() {
      values.put("Version", "1.0");
      values.put("Ranking", "trimtab");
      values.put("Rankings", RANKINGS);
      values.put("LocalFirst", false);
      values.put("InlineReads", false);
      values.put("Ranked", 12L);
      values.put("FallenBack", 3L);
      values.put("Failures", 0L);
      values.put("HedgeShare", 1.0);
      values.put("RackPenalty", 1.0);
    }

    FakeNode without() {
      loaded = false;
      return this;
    }

    /** Why every question fails. */
    FakeNode silent(String why) {
      silent = why;
      return this;
    }

    /** Answers once others that wait for the same have been asked, too. */
    FakeNode together(CountDownLatch asked) {
      together = asked;
      return this;
    }

    /** An attribute at which the node dies when it is set. */
    FakeNode fragile(String attribute) {
      fragile = attribute;
      return this;
    }

    FakeNode with(String attribute, Object value) {
      values.put(attribute, value);
      return this;
    }

    @Override
    public boolean isThere() throws IOException {
      together.countDown();
      try {
        if (!together.await(10, TimeUnit.SECONDS)) {
          throw new IOException("asked alone");
        }
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
      return loaded;
    }

    @Override
    public Object get(String attribute) throws IOException {
      if (!loaded || !values.containsKey(attribute)) {
        throw new IOException("No such attribute: " + attribute);
      }
      return values.get(attribute);
    }

    @Override
    public void set(String attribute, Object value) throws IOException {
      if (attribute.equals(fragile)) {
        throw new IOException("Connection reset");
      }
      get(attribute);
      values.put(attribute, value);
    }
  }

  /** A node more: {@code n1:9042}, {@code n2:9042}, … */
  FakeNode node(String version) {
    NodeId id = new NodeId("n" + (members.size() + 1) + ":9042");
    members.add(new RingNode(id, version));
    FakeNode node = new FakeNode();
    nodes.put(id, node);
    return node;
  }

  @Override
  public List<RingNode> members() {
    return members;
  }

  @Override
  public <T> T ask(NodeId id, Question<T> question) throws IOException {
    FakeNode node = nodes.get(id);
    if (!node.silent.isEmpty()) {
      throw new IOException(node.silent);
    }
    return question.of(node);
  }
}
