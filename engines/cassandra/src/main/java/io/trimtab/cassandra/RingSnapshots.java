package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.trimtab.cassandra.versions.CassandraVersions;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.CoordinatorView;
import io.trimtab.engineapi.snapshot.Copies;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeRead;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.UsageReadings;
import io.trimtab.host.Clocks;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Takes snapshots. Nodes that are still joining are not members yet, and are left out. */
final class RingSnapshots implements AutoCloseable {
  /** Nodes that are read at a time: each that is new takes a second, most of which is a wait. */
  private static final int READERS = 32;

  /**
   * For a node: one that answers each of many questions late must not hold up the others. Where
   * there are more than are read at a time, each turn of them has another {@link #TURN}.
   */
  private static final Duration NODES_LIMIT = Duration.ofSeconds(30);

  private static final Duration TURN = Duration.ofSeconds(2);

  /** Of a node that leaves the ring, or that could not and is in it all the same. */
  private static final Set<String> LEAVING = Set.of("LEAVING", "DECOMMISSION_FAILED");

  /** Of a node that has its ranges. */
  private static final Set<String> IN_RING =
      Set.of("NORMAL", "MOVING", "LEAVING", "DECOMMISSION_FAILED");

  private final CqlSession session;
  private final JmxPool jmx;
  private final Supplier<String> clusterId;
  private final CassandraNodeReader reader;
  private final Clocks clocks;
  private final LongSupplier uptimeNs;
  private final ExecutorService readers =
      Executors.newFixedThreadPool(
          READERS,
          work -> {
            Thread thread = new Thread(work, "cassandra-reader");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param uptimeNs a clock that does not jump and counts the time of a suspended machine
   */
  RingSnapshots(
      CqlSession session,
      JmxPool jmx,
      Supplier<String> clusterId,
      Clocks clocks,
      LongSupplier uptimeNs) {
    this.uptimeNs = uptimeNs;
    this.session = session;
    this.jmx = jmx;
    this.clusterId = clusterId;
    this.reader = new CassandraNodeReader(new MemtableSpace(session), clocks);
    this.clocks = clocks;
  }

  /** The members of the ring, live or dead, by name; empty while the driver knows none. */
  static List<Member> members(CqlSession session) {
    return session.getMetadata().getNodes().values().stream()
        .map(Member::of)
        .flatMap(Optional::stream)
        .sorted(Comparator.comparing(Member::id))
        .toList();
  }

  private record NodeView(
      Member member,
      Optional<CassandraNodeReader.JmxSample> sample,
      Optional<CoordinatorView> ranking,
      List<String> rankingGaps,
      String mode,
      Set<String> live,
      Set<String> changing,
      String gap) {
    Sight sight() {
      return new Sight(member.storage(), IN_RING.contains(mode), live);
    }
  }

  /**
   * Who sees whom, by addresses between nodes.
   *
   * @param inRing whether the node itself says that it is in the ring
   * @param live those that it reaches, itself included; empty if it does not tell
   */
  record Sight(String storage, boolean inRing, Set<String> live) {
    boolean reaches(String other) {
      return live.contains(other);
    }
  }

  /**
   * Whether a node is up. The driver is the first to notice that one is dead, but of those to which
   * it has no connections, as of other data centres', it knows only what a single node has told it,
   * and nothing that was told while it had lost that one. So it does not count against the node
   * itself and a peer that reaches it.
   *
   * @param forDriver whether the driver takes it for live; that alone counts if no node tells
   * @param all of all nodes
   */
  static boolean isUp(Sight node, boolean forDriver, List<Sight> all) {
    if (all.stream().allMatch(each -> each.live().isEmpty())) {
      return forDriver;
    }
    boolean byPeers =
        all.stream()
            .filter(each -> !each.storage().equals(node.storage()))
            .anyMatch(each -> each.reaches(node.storage()));
    return forDriver ? byPeers || node.reaches(node.storage()) : byPeers && node.inRing();
  }

  /**
   * Takes one.
   *
   * @param since readings since which usage is computed
   */
  ClusterSnapshot read(UsageReadings since) throws EngineException {
    List<Member> members = members(session);
    if (members.isEmpty()) {
      throw new EngineException("Cassandra: no node of the cluster is known");
    }
    String cluster = clusterId.get();
    List<NodeId> ids = members.stream().map(Member::id).toList();
    jmx.keep(ids);
    reader.keep(ids);
    since.keep(ids);
    // Rates are differences of counters by differences of this time. Usage of a node that is new
    // takes a second longer, after its counters were read.
    Instant counted = clocks.wall().instant();
    OptionalLong countedNs = OptionalLong.of(uptimeNs.getAsLong());
    List<NodeView> views = views(members, since);
    Set<String> changing = new TreeSet<>();
    views.forEach(view -> changing.addAll(view.changing()));
    List<Sight> sights = views.stream().map(NodeView::sight).toList();
    List<io.trimtab.engineapi.snapshot.NodeState> nodes = new ArrayList<>();
    List<PartitionState> tables = new ArrayList<>();
    List<String> gaps = new ArrayList<>();
    Map<String, Map<String, String>> keyspaces = keyspaces(gaps);
    Keyspaces.Replication replication = Keyspaces.replication(keyspaces);
    gaps.addAll(replication.gaps());
    for (NodeView view : views) {
      boolean up = isUp(view.sight(), up(view.member()), sights);
      if (up && !view.gap().isEmpty()) {
        gaps.add(view.gap());
      }
      nodes.add(state(view, up));
      view.sample().ifPresent(sample -> tables.addAll(sample.tables()));
      view.sample().ifPresent(sample -> gaps.addAll(sample.gaps()));
      gaps.addAll(view.rankingGaps());
    }
    gaps.addAll(Keyspaces.unknown(tables.stream().map(t -> t.id().table()).toList(), keyspaces));
    tables.sort(Comparator.comparing(PartitionState::id));
    long up = nodes.stream().filter(io.trimtab.engineapi.snapshot.NodeState::alive).count();
    Copies copies = Keyspaces.staying(replication.copies(), keyspaces, (int) up);
    CassandraVersions versions = versions(nodes);
    return new ClusterSnapshot(
        counted,
        cluster,
        "cassandra",
        Ownership.TOKENS,
        versions.text(),
        copies.fewestNodes(),
        nodes,
        tables,
        changing.size(),
        blockers(up, nodes.size(), versions),
        // Cassandra has no balancer.
        BalancerState.PAUSED,
        gaps,
        countedNs,
        copies);
  }

  private Map<String, Map<String, String>> keyspaces(List<String> gaps) {
    try {
      return Keyspaces.read(session);
    } catch (DriverException e) {
      gaps.add(
          "the keyspaces and their numbers of copies can't be read: " + CassandraErrors.line(e));
      return Map.of();
    }
  }

  /** Of those that the ring takes for live: the driver may not have noticed that one is dead. */
  private CassandraVersions versions(List<io.trimtab.engineapi.snapshot.NodeState> nodes) {
    Set<NodeId> live = new TreeSet<>();
    nodes.stream()
        .filter(io.trimtab.engineapi.snapshot.NodeState::alive)
        .forEach(node -> live.add(node.id()));
    return CassandraVersions.of(
        session.getMetadata().getNodes().values().stream()
            .filter(node -> Member.of(node).filter(its -> live.contains(its.id())).isPresent())
            .toList());
  }

  /** With no more than half of the ring up, it is not known which half this is. */
  static List<String> blockers(long up, int nodes, CassandraVersions versions) {
    List<String> blockers = new ArrayList<>();
    if (2 * up <= nodes) {
      blockers.add(
          "only %d of %d nodes of the ring are up, which is no majority".formatted(up, nodes));
    }
    // Nodes may be upgraded after a controller has connected.
    versions.refusal().or(versions::hindrance).ifPresent(blockers::add);
    return blockers;
  }

  private static io.trimtab.engineapi.snapshot.NodeState state(NodeView view, boolean up) {
    return new io.trimtab.engineapi.snapshot.NodeState(
        view.member().id(),
        view.sample().map(CassandraNodeReader.JmxSample::startedAtMs).orElse(-1L),
        up,
        LEAVING.contains(view.mode()),
        view.sample().map(CassandraNodeReader.JmxSample::gauges).flatMap(NodeProfile::of),
        true,
        view.sample().map(CassandraNodeReader.JmxSample::usage).orElse(NodeUsage.UNKNOWN),
        view.sample().map(CassandraNodeReader.JmxSample::gauges).orElse(NodeGauges.UNKNOWN),
        view.sample().map(CassandraNodeReader.JmxSample::settings).orElse(Map.of()),
        view.member().dataCentre(),
        view.member().rack(),
        view.ranking(),
        view.sample().map(CassandraNodeReader.JmxSample::maintenance).orElse(List.of()),
        up && !view.gap().isEmpty() ? NodeRead.failed(view.gap()) : NodeRead.WHOLE);
  }

  private boolean up(Member member) {
    Node node = session.getMetadata().getNodes().get(member.hostId());
    return node != null && node.getState() != NodeState.DOWN;
  }

  private List<NodeView> views(List<Member> members, UsageReadings since) throws EngineException {
    List<Callable<NodeView>> questions = new ArrayList<>();
    Map<String, NodeId> names = new TreeMap<>();
    members.forEach(member -> names.put(member.storage(), member.id()));
    members.forEach(member -> questions.add(() -> view(member, names, since)));
    Duration limit = NODES_LIMIT.plus(TURN.multipliedBy(members.size() / READERS));
    return answers(
        readers,
        questions,
        limit,
        late ->
            unread(
                members.get(late),
                "it has not told everything within " + limit.toSeconds() + " s"));
  }

  /**
   * What several are asked at a time, in their order.
   *
   * @param late the answer in the place of that of the question with this index, which took longer
   */
  static <T> List<T> answers(
      ExecutorService askers, List<Callable<T>> questions, Duration limit, IntFunction<T> late)
      throws EngineException {
    List<T> answers = new ArrayList<>();
    try {
      for (Future<T> answer :
          askers.invokeAll(questions, limit.toMillis(), TimeUnit.MILLISECONDS)) {
        answers.add(answer.isCancelled() ? late.apply(answers.size()) : answer.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException("Cassandra: interrupted while nodes were asked", e);
    } catch (ExecutionException e) {
      throw new EngineException("Cassandra: " + CassandraErrors.line(e.getCause()), e);
    }
    return answers;
  }

  private NodeView view(Member member, Map<String, NodeId> names, UsageReadings since) {
    try {
      return jmx.ask(
          member.id(),
          node -> {
            StorageService ring = new StorageService(node);
            List<String> rankingGaps = new ArrayList<>();
            // First: the rest may take a second.
            Optional<CoordinatorView> ranking =
                JmxRanking.view(member.id(), node, names, rankingGaps);
            return new NodeView(
                member,
                Optional.of(reader.read(member, node, since)),
                ranking,
                rankingGaps,
                ring.mode(),
                ring.live(),
                ring.changing(),
                "");
          });
    } catch (IOException e) {
      return unread(member, CassandraErrors.line(e));
    }
  }

  private static NodeView unread(Member member, String why) {
    return new NodeView(
        member,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        "",
        Set.of(),
        Set.of(),
        "node " + member.id() + ": " + why);
  }

  @Override
  public void close() {
    readers.shutdownNow();
  }
}
