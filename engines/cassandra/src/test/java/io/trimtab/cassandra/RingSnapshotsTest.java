package io.trimtab.cassandra;

import static io.trimtab.cassandra.CassandraEngineTest.fake;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.Version;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.token.Token;
import io.trimtab.cassandra.RingSnapshots.Sight;
import io.trimtab.cassandra.versions.CassandraVersions;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.RingRequests;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RingSnapshotsTest {
  private static List<String> blockers(long up, int nodes, String... versions) {
    return RingSnapshots.blockers(
        up, nodes, new CassandraVersions(Stream.of(versions).map(Version::parse).toList()));
  }

  @Test
  void anAnswerThatIsLateHoldsUpNoOther() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    ExecutorService askers = Executors.newFixedThreadPool(2);
    try {
      List<Callable<String>> questions =
          List.of(
              () -> {
                never.await();
                return "late";
              },
              () -> "in time");
      assertThat(
              RingSnapshots.answers(
                  askers, questions, Duration.ofMillis(200), late -> "no " + late))
          .containsExactly("no 0", "in time");
    } finally {
      askers.shutdownNow();
    }
  }

  private static Sight sight(String storage, boolean inRing, String... live) {
    return new Sight(storage, inRing, Set.of(live));
  }

  private static boolean isUp(Sight node, boolean forDriver, Sight... others) {
    return RingSnapshots.isUp(
        node, forDriver, Stream.concat(Stream.of(node), Stream.of(others)).toList());
  }

  /** As one of another data centre, of whose return the driver has not heard. */
  @Test
  void aNodeThatSaysSoAndThatItsPeersSeeIsUp() {
    Sight peer = sight("b:7000", true, "a:7000", "b:7000");
    assertThat(isUp(sight("a:7000", true, "a:7000", "b:7000"), false, peer)).isTrue();
    // It is starting: its peers may not have heard yet that it was dead.
    assertThat(isUp(sight("a:7000", false, "a:7000"), false, peer)).isFalse();
    // It does not answer.
    assertThat(isUp(sight("a:7000", false), false, peer)).isFalse();
    // It is cut off from the others.
    Sight alone = sight("b:7000", true, "b:7000");
    assertThat(isUp(sight("a:7000", true, "a:7000"), false, alone)).isFalse();
  }

  @Test
  void aNodeThatTheDriverReachesIsUpIfAnyNodeSeesIt() {
    Sight silent = sight("a:7000", false);
    assertThat(isUp(silent, true, sight("b:7000", true, "a:7000", "b:7000"))).isTrue();
    assertThat(isUp(silent, true, sight("b:7000", true, "b:7000"))).isFalse();
    assertThat(isUp(sight("a:7000", true, "a:7000"), true)).isTrue();
  }

  @Test
  void ifNoNodeTellsOnlyTheDriverKnows() {
    Sight silent = sight("a:7000", false);
    assertThat(isUp(silent, true, sight("b:7000", false))).isTrue();
    assertThat(isUp(silent, false, sight("b:7000", false))).isFalse();
  }

  /** Each token of the other one's lies somewhere in a range of this one. */
  @Test
  void noTokensAreChosenByRequestsWhereThereAreSeveralDataCentres() throws EngineException {
    Map<UUID, Node> nodes =
        Map.of(new UUID(0, 1), RingOfThree.node(1), new UUID(0, 2), RingOfThree.node(2, "dc2"));
    Token token = fake(Token.class, called -> 0);
    TokenMap tokens = fake(TokenMap.class, called -> called.equals("format") ? "5" : Set.of(token));
    Metadata metadata =
        fake(Metadata.class, called -> called.equals("getNodes") ? nodes : Optional.of(tokens));
    CqlSession session = fake(CqlSession.class, called -> metadata);
    try (JmxPool nobody = new JmxPool(CassandraContact.of("127.0.0.1:9042", 1))) {
      RingRequests ring = new RingSampler(session, nobody).sample(8, Duration.ofSeconds(1));
      assertThat(ring.gap()).isEqualTo("each of several data centres has ranges of its own");
      // Who joins in a slow node's place still gets the tokens before its.
      assertThat(ring.owners()).containsOnlyKeys(5L);
    }
  }

  @Test
  void nothingIsDoneWithoutAMajorityOfTheRing() {
    assertThat(blockers(3, 3, "5.0.9")).isEmpty();
    assertThat(blockers(2, 3)).isEmpty();
    assertThat(blockers(2, 4))
        .containsExactly("only 2 of 4 nodes of the ring are up, which is no majority");
    assertThat(blockers(0, 1)).hasSize(1);
  }

  @Test
  void nothingIsDoneWhileNodesAreUpgradedToAnotherRelease() {
    assertThat(blockers(3, 3, "5.0.8", "5.0.9")).isEmpty();
    assertThat(blockers(3, 3, "4.1.10", "5.0.9"))
        .singleElement()
        .asString()
        .startsWith("nodes run Cassandra 4.1.10 and 5.0.9: ");
    assertThat(blockers(3, 3, "5.0.9", "7.0.0"))
        .containsExactly("Cassandra 7.0.0 is not supported; 4.0, 4.1, 5.0 and 6.0 are");
  }
}
