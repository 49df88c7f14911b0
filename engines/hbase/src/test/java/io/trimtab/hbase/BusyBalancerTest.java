package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.host.Clocks;
import io.trimtab.host.GivenLock;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncAdminBuilder;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.BalanceResponse;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.master.RegionState.State;
import org.junit.jupiter.api.Test;

/** HBase's master may be balancing, for minutes, when its balancer is switched. */
class BusyBalancerTest {
  private static final BalancerState ON = new BalancerState(true, false);
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final String OFF_AT_ONCE = "off";
  private static final String ON_AT_ONCE = "on";
  private static final String TURN = "turn";

  private final List<String> sent = new ArrayList<>();
  private final Deque<IOException> failures = new ArrayDeque<>();
  private final Map<String, Duration> limits = new TreeMap<>();
  private boolean on = true;

  /** Whether the master has calculated: not where regions are in transition. */
  private boolean ran = true;

  /** Looks at which there still is a region in transition. */
  private int moving;

  private int closed;

  private final Admin asking =
      FakeAdmin.of(
          Admin.class,
          (proxy, called, a) ->
              switch (called.getName()) {
                case "isBalancerEnabled" -> on;
                case "isNormalizerEnabled" -> false;
                case "getSecurityCapabilities" -> List.of();
                case "getClusterMetrics" -> metrics();
                default -> throw new AssertionError(called.getName());
              });

  private ClusterMetrics metrics() {
    ClusterMetricsBuilder metrics = ClusterMetricsBuilder.newBuilder();
    if (moving-- > 0) {
      RegionInfo region = RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();
      metrics.setRegionsInTransition(List.of(RegionState.createForTesting(region, State.OPENING)));
    }
    return metrics.build();
  }

  private final Admin changing =
      FakeAdmin.of(
          Admin.class,
          (proxy, called, a) -> {
            assertThat(called.getName()).isEqualTo("balancerSwitch");
            // Synchronously, it would be switched when the balancing has ended, however late.
            assertThat((Boolean) a[1]).isFalse();
            boolean before = on;
            on = (Boolean) a[0];
            sent.add(on ? ON_AT_ONCE : OFF_AT_ONCE);
            return before;
          });

  private final AsyncAdmin waiting =
      FakeAdmin.of(
          AsyncAdmin.class,
          (proxy, called, a) -> {
            assertThat(called.getName()).isEqualTo("balance");
            assertThat(((BalanceRequest) a[0]).isDryRun()).isTrue();
            sent.add(TURN);
            return failures.isEmpty()
                ? CompletableFuture.completedFuture(
                    BalanceResponse.newBuilder().setBalancerRan(ran).build())
                : CompletableFuture.failedFuture(failures.remove());
          });

  private final AsyncAdminBuilder builder =
      FakeAdmin.of(
          AsyncAdminBuilder.class,
          (proxy, called, a) -> {
            if (called.getName().equals("build")) {
              return waiting;
            }
            if (a.length == 2) {
              TimeUnit unit = (TimeUnit) a[1];
              limits.put(called.getName(), Duration.of((Long) a[0], unit.toChronoUnit()));
            }
            return proxy;
          });

  private final AsyncConnection connection =
      FakeAdmin.of(
          AsyncConnection.class,
          (proxy, called, a) ->
              switch (called.getName()) {
                case "getAdminBuilder" -> builder;
                case "close" -> {
                  closed++;
                  yield null;
                }
                default -> throw new AssertionError(called.getName());
              });

  private HBaseEngine engine(String version, Clocks clocks) {
    return new HBaseEngine(
        new Cluster(
            HBaseContact.of(Map.of("hbase.zookeeper.quorum", "zk")),
            clocks,
            FakeAdmin.unused(Connection.class),
            asking,
            changing,
            conf -> CompletableFuture.completedFuture(connection)),
        FakeAdmin.facts(version),
        new GivenLock());
  }

  private final HBaseEngine engine = engine("2.6.4", Clocks.SYSTEM);

  @Test
  void itIsOffAtOnceAndTheBalancingIsWaitedFor() throws EngineException {
    engine.pauseBalancer(LIMIT);

    assertThat(sent).containsExactly(OFF_AT_ONCE, TURN);
    assertThat(on).isFalse();
    assertThat(closed).isEqualTo(1);
    // HBase's client itself would give up after 15 s.
    assertThat(limits).containsOnlyKeys("setRpcTimeout", "setOperationTimeout");
    assertThat(limits.values())
        .allSatisfy(limit -> assertThat(limit).isBetween(LIMIT.minusSeconds(4), LIMIT));
  }

  /** As what HBase has begun to move when its time for balancing is over. */
  @Test
  void whatItHasBegunToMoveIsWaitedFor() throws EngineException {
    ran = false;
    moving = 2;

    engine.pauseBalancer(LIMIT);

    assertThat(sent).containsExactly(OFF_AT_ONCE, TURN, TURN, TURN);
  }

  /** 2.4 would balance instead of a dry run, were somebody to switch the balancer on. */
  @Test
  void withoutADryRunNothingIsToMoveForAWhile() throws EngineException {
    moving = 2;
    AtomicLong seconds = new AtomicLong();
    Clocks clocks =
        new Clocks(
            InstantSource.system(), () -> seconds.addAndGet(10) * 1_000_000_000L, duration -> {});

    engine("2.4.17", clocks).pauseBalancer(Duration.ofMinutes(1));

    assertThat(sent).containsExactly(OFF_AT_ONCE);
    assertThat(seconds.get()).isBetween(60L, 90L);
  }

  /** Each plan switches it off again. */
  @Test
  void whatHasEndedIsNotWaitedForAgain() throws EngineException {
    engine.pauseBalancer(LIMIT);
    sent.clear();

    engine.pauseBalancer(LIMIT);
    assertThat(sent).isEmpty();

    engine.setBalancer(ON);
    engine.pauseBalancer(LIMIT);
    assertThat(sent).containsExactly(ON_AT_ONCE, OFF_AT_ONCE, TURN);
  }

  /** A controller before this one, or an operator, may have switched it off a moment ago. */
  @Test
  void oneThatIsOffAlreadyIsWaitedFor() throws EngineException {
    on = false;

    engine.pauseBalancer(LIMIT);

    assertThat(sent).containsExactly(TURN);
  }

  @Test
  void toSwitchItWaitsForNothing() throws EngineException {
    engine.setBalancer(BalancerState.PAUSED);
    engine.setBalancer(ON);

    assertThat(sent).containsExactly(OFF_AT_ONCE, ON_AT_ONCE);
  }

  /** As when the master is lost. */
  @Test
  void aRequestThatWasLostIsRepeated() throws EngineException {
    failures.add(new IOException("Connection closed"));

    engine.pauseBalancer(LIMIT);

    assertThat(sent).containsExactly(OFF_AT_ONCE, TURN, TURN);
  }

  @Test
  void balancingThatDoesNotEndIsTold() throws EngineException {
    for (int i = 0; i < 100; i++) {
      failures.add(
          new RetriesExhaustedException("Failed", new CallTimeoutException("waitTime=1001ms")));
    }

    assertThatThrownBy(() -> engine.pauseBalancer(Duration.ofSeconds(1)))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("waiting for the end of HBase's own balancing")
        .hasMessageContaining("hbase.balancer.max.balancing");

    failures.clear();
    sent.clear();
    engine.pauseBalancer(LIMIT);
    assertThat(sent).as("it is waited for again").containsExactly(TURN);
  }
}
