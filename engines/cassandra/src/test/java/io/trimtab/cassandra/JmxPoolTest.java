package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whether nodes are trusted and a user may act, by what they answer. */
class JmxPoolTest {
  private static final NodeId ONE = new NodeId("10.0.0.1:9042");
  private static final NodeId TWO = new NodeId("10.0.0.2:9042");
  private static final NodeId THREE = new NodeId("10.0.0.3:9042");

  private final List<NodeId> asked = new CopyOnWriteArrayList<>();

  private static IOException refusal(NodeId node, String why) {
    return new IOException(
        "JMX at " + node + " refuses the user: " + why, new SecurityException(why));
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted");
    }
  }

  private void require(JmxPool.Trial trial) throws EngineException {
    JmxPool.requireOperations(
        List.of(ONE, TWO, THREE),
        "ann",
        node -> {
          asked.add(node);
          trial.at(node);
        });
  }

  /** It may have started a moment ago, and not have read its users' rights yet. */
  @Test
  void aNodeThatRefusesDoesNotCountBesideOneThatDoesNot() throws EngineException {
    CountDownLatch refused = new CountDownLatch(1);
    require(
        node -> {
          if (node.equals(ONE)) {
            refused.countDown();
            throw refusal(node, "Access Denied");
          }
          await(refused);
        });
    assertThat(asked).contains(ONE);
  }

  @Test
  void whoMayOnlyReadIsToldWhatIsMissing() {
    assertThatThrownBy(
            () ->
                require(
                    node -> {
                      if (node.equals(ONE)) {
                        throw new IOException("JMX at " + node + " does not answer");
                      }
                      throw refusal(node, "Access denied! Invalid access level");
                    }))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "JMX at 10.0.0.2:9042 refuses the user: Access denied! Invalid access level; to act,"
                + " ann needs readwrite in the nodes' jmxremote.access, or EXECUTE and MODIFY on"
                + " ALL MBEANS");
    assertThatThrownBy(
            () ->
                require(
                    node -> {
                      throw refusal(node, "Authentication failed");
                    }))
        .hasMessage("JMX at 10.0.0.1:9042 refuses the user: Authentication failed");
  }

  @Test
  void nodesThatDoNotTellForbidNothing() throws EngineException {
    require(
        node -> {
          throw new IOException("JMX at " + node + " does not answer");
        });
    assertThat(asked).containsExactlyInAnyOrder(ONE, TWO, THREE);
  }

  @Test
  void aCertificateThatIsNotTakenIsToldUnlessThatOfAnotherNodeIs() throws EngineException {
    assertThatThrownBy(
            () ->
                JmxPool.requireTrust(
                    List.of(ONE, TWO, THREE),
                    "Cassandra at c1:9042",
                    node -> {
                      if (node.equals(ONE)) {
                        throw new IOException("Read timed out");
                      }
                      throw new SSLPeerUnverifiedException("TLS with " + node + ": PKIX path");
                    }))
        .isInstanceOf(EngineException.class)
        .hasMessage("Cassandra at c1:9042: TLS with 10.0.0.2:9042: PKIX path");
    JmxPool.requireTrust(
        List.of(ONE, TWO),
        "Cassandra at c1:9042",
        node -> {
          if (node.equals(ONE)) {
            throw new SSLPeerUnverifiedException("TLS with " + node + ": PKIX path");
          }
        });
  }

  /** Each would take until the end of its time limit, and a plan would wait for all of them. */
  @Test
  @Timeout(30)
  void frozenNodesAreNotWaitedForBesideOneThatAnswers() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch givenUp = new CountDownLatch(2);
    require(
        node -> {
          if (!node.equals(THREE)) {
            try {
              await(never);
            } finally {
              givenUp.countDown();
            }
          }
        });
    assertThat(asked).contains(THREE);
    givenUp.await();
  }

  @Test
  @Timeout(30)
  void someAreAskedAtATimeAndNoMore() throws EngineException {
    CountDownLatch atOnce = new CountDownLatch(JmxPool.AT_ONCE);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<NodeId> ring =
        IntStream.rangeClosed(1, 60).mapToObj(i -> new NodeId("10.0.1." + i + ":9042")).toList();
    JmxPool.requireOperations(
        ring,
        "ann",
        node -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          asked.add(node);
          atOnce.countDown();
          await(atOnce);
          running.decrementAndGet();
          throw new IOException("JMX at " + node + " does not answer");
        });
    assertThat(asked).containsExactlyInAnyOrderElementsOf(ring);
    assertThat(most).hasValue(JmxPool.AT_ONCE);
  }
}
