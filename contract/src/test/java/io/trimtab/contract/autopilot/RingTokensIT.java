package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.contract.CassandraCluster;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.RingRequests;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.SystemPorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes with a token each; nearly all requests go to the first tenth of one node's range. A
 * third node that halved the range's keys would take hardly anything of the rest, or all of it. The
 * policy autopilot adds it, and keeps it: a ring of three nodes can't shrink.
 */
@Tag("beside-others")
class RingTokensIT {
  private static final int KEYS = 6_000;
  private static final double HOT = 0.1;
  private static final double HOT_REQUESTS = 0.9;
  private static final long SEED = 7;

  /** Between two requests of a client: without it four would take whatever the machine has. */
  private static final long PAUSE_NS = 2_000_000;

  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final int DECISIONS = 3;

  /** Of two cores: what other clusters on this machine leave to the busy node is more. */
  private static final double HIGH = 0.05;

  @TempDir static Path home;
  @AutoClose private static CassandraCluster cluster;
  private static CassandraLab lab;
  private static CassandraEngine engine;

  /** A table takes longer to be made than the driver waits, where others use the machine. */
  private static final DriverConfigLoader PATIENT =
      DriverConfigLoader.programmaticBuilder()
          .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
          .build();

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster = CassandraCluster.up("ring-it", home, 2, CassandraSettings.DEFAULTS.with(1, 1));
    lab = cluster.lab();
    engine = cluster.engine();
  }

  @Test
  void aNewNodeTakesHalfOfTheRequestsOfTheMostLoadedRangeAndStays() throws Exception {
    List<InetSocketAddress> points = lab.points();
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoints(points)
            .withLocalDatacenter("datacenter1")
            .withConfigLoader(PATIENT)
            .build()) {
      List<String> byToken = load(session);
      RingRequests quiet = engine.ringRequests(8, Duration.ofSeconds(1));
      assertThat(quiet.owners()).hasSize(2);
      assertThat(engine.ringRequests(0, Duration.ofHours(1)).gap()).contains("1 tokens per node");
      long busyEnd = quiet.owners().lastKey();
      NodeId busy = quiet.owners().get(busyEnd);
      try (ReadWriteLoad load = new ReadWriteLoad(session, byToken)) {
        Map<NodeId, Double> before = shares();
        assertThat(before.get(busy)).isGreaterThan(0.9);

        Plan plan = grown();
        assertThat(plan.policy()).isEqualTo(Policies.AUTOPILOT.name());

        List<Long> tokens = ((Action.AddNode) plan.actions().get(0).action()).tokens();
        assertThat(tokens).hasSize(1);
        assertThat(plan.actions().get(0).effect()).contains("taken from " + busy);
        // Its first tenth of the keys begins at the other node's token.
        double reach = (double) busyEnd - quiet.owners().firstKey();
        assertThat((tokens.get(0) - (double) quiet.owners().firstKey()) / reach)
            .isBetween(0.02, 0.1);
        Map<NodeId, Double> after = shares();
        assertThat(after).hasSize(3);
        NodeId added =
            after.keySet().stream().filter(n -> !before.containsKey(n)).findFirst().orElseThrow();
        assertThat(after.get(added)).as("%s", after).isBetween(0.35, 0.6);
        assertThat(after.get(busy)).as("%s", after).isBetween(0.35, 0.6);
        load.check();
      }
      // Two would be enough where nobody asks for anything, but Cassandra lets none of three go:
      // its own keyspace system_distributed has three copies.
      assertThat(held(settings())).isNotEmpty();
      assertThat(engine.snapshot().liveNodes()).hasSize(3);
      for (String key : byToken) {
        assertThat(session.execute("SELECT v FROM k.t WHERE k = ?", key).one().getString(0))
            .isEqualTo("value of " + key);
      }
    }
  }

  /** All keys in the order of the ring. */
  private static List<String> load(CqlSession session) {
    session.execute(
        "CREATE KEYSPACE k WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute("CREATE TABLE k.t (k text PRIMARY KEY, v text)");
    PreparedStatement insert = session.prepare("INSERT INTO k.t (k, v) VALUES (?, ?)");
    for (int i = 0; i < KEYS; i++) {
      session.execute(insert.bind("key " + i, "value of key " + i));
    }
    TreeMap<Long, String> keys = new TreeMap<>();
    for (Row row : session.execute("SELECT token(k), k FROM k.t")) {
      keys.put(row.getLong(0), row.getString(1));
    }
    assertThat(keys).hasSize(KEYS);
    return List.copyOf(keys.values());
  }

  /** Requests that each node serves, as shares of all. */
  private static Map<NodeId, Double> shares() throws Exception {
    Map<NodeId, Long> first = requests(engine.snapshot());
    TimeUnit.SECONDS.sleep(4);
    Map<NodeId, Long> last = requests(engine.snapshot());
    long all = last.entrySet().stream().mapToLong(e -> e.getValue() - first.get(e.getKey())).sum();
    Map<NodeId, Double> shares = new TreeMap<>();
    last.forEach((node, n) -> shares.put(node, (double) (n - first.get(node)) / all));
    return shares;
  }

  private static Map<NodeId, Long> requests(ClusterSnapshot seen) {
    Map<NodeId, Long> requests = new TreeMap<>();
    seen.partitions().stream()
        .filter(p -> p.id().table().equals("k.t"))
        .forEach(
            p ->
                requests.put(
                    p.node().orElseThrow(),
                    p.counters().orElseThrow().pointReads() + p.counters().orElseThrow().writes()));
    return requests;
  }

  private static Plan grown() throws EngineException {
    Settings settings =
        settings()
            .with(HealthSettings.builder().high(HIGH).low(0.0).build())
            .with(UsageSettings.builder().target(HIGH).build());
    return plan(settings, Action.AddNode.class);
  }

  private static Settings settings() {
    return Settings.defaults()
        .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(2).build())
        .with(
            GuardSettings.builder()
                .minNodes(2)
                .maxNodes(3)
                .cooldown(Duration.ZERO)
                .actionLimit(LIMIT)
                .build())
        .with(Policies.AUTOPILOT);
  }

  /**
   * Runs the autopilot until it has carried out a plan with such an action. Before a node joins,
   * the others may be configured for what they are asked for.
   */
  private static Plan plan(Settings settings, Class<? extends Action> with) throws EngineException {
    List<Plan> plans = new ArrayList<>();
    ControlLoop[] loop = new ControlLoop[1];
    LoopListener listener =
        new LoopListener() {
          @Override
          public void planned(Plan plan, boolean act) {
            System.out.println(plan.summary());
            plans.add(plan);
          }

          @Override
          public void planEnded(Plan plan, PlanOutcome outcome, String why) {
            if (!plan.actions(with).isEmpty()) {
              loop[0].stop();
            }
          }
        };
    loop[0] =
        new ControlLoop(
            engine,
            Optional.of(lab.provider()),
            settings,
            listener,
            SystemPorts.ports(),
            FaultPoints.NONE);
    Optional<Executor.Outcome> outcome = loop[0].run(true, 0, false);
    assertThat(outcome.orElseThrow().how()).as("%s", outcome).isEqualTo(PlanOutcome.DONE);
    return plans.get(plans.size() - 1);
  }

  /** What the autopilot says of the ring in a few decisions, none of which makes a plan. */
  private static List<String> held(Settings settings) throws EngineException {
    List<String> reasons = new ArrayList<>();
    ControlLoop[] loop = new ControlLoop[1];
    LoopListener listener =
        new LoopListener() {
          @Override
          public void held(String by, String reason, String setting) {
            System.out.println(by + ": " + reason);
            reasons.add(reason);
            if (reasons.size() == DECISIONS) {
              loop[0].stop();
            }
          }
        };
    loop[0] =
        new ControlLoop(
            engine,
            Optional.of(lab.provider()),
            settings,
            listener,
            SystemPorts.ports(),
            FaultPoints.NONE);
    // It would end with a plan's outcome, if there were a plan.
    assertThat(loop[0].run(true, 1, false)).isEmpty();
    return reasons;
  }

  /** Reads and writes, most of them of the first tenth of the second half of the ring. */
  private static final class ReadWriteLoad implements AutoCloseable {
    private final AtomicBoolean ends = new AtomicBoolean();
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong right = new AtomicLong();
    private final List<Thread> clients = new ArrayList<>();

    ReadWriteLoad(CqlSession session, List<String> byToken) {
      PreparedStatement read = session.prepare("SELECT v FROM k.t WHERE k = ?");
      PreparedStatement write = session.prepare("INSERT INTO k.t (k, v) VALUES (?, ?)");
      for (int client = 0; client < 4; client++) {
        SplittableRandom random = new SplittableRandom(SEED + client);
        Thread thread =
            new Thread(
                () -> {
                  while (!ends.get()) {
                    LockSupport.parkNanos(PAUSE_NS);
                    String key = key(byToken, random);
                    if (random.nextInt(10) == 0) {
                      session.execute(write.bind(key, "value of " + key));
                    } else {
                      Row row = session.execute(read.bind(key)).one();
                      boolean good = row != null && ("value of " + key).equals(row.getString(0));
                      (good ? right : wrong).incrementAndGet();
                    }
                  }
                });
        thread.setDaemon(true);
        thread.start();
        clients.add(thread);
      }
    }

    /** The nodes' tokens are the least one and the middle, so the second's range is the first. */
    private static String key(List<String> byToken, SplittableRandom random) {
      int half = byToken.size() / 2;
      return random.nextDouble() < HOT_REQUESTS
          ? byToken.get(random.nextInt((int) (HOT * half)))
          : byToken.get(random.nextInt(half));
    }

    void check() {
      assertThat(clients).allMatch(Thread::isAlive);
      assertThat(wrong.get()).as("of %s", right.get()).isZero();
      assertThat(right.get()).isPositive();
    }

    @Override
    public void close() throws InterruptedException {
      ends.set(true);
      for (Thread client : clients) {
        client.join();
      }
    }
  }
}
