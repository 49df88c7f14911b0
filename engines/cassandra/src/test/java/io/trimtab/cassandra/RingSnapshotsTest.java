package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.Version;
import io.trimtab.cassandra.versions.CassandraVersions;
import java.time.Duration;
import java.util.List;
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
