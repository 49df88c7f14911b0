package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.host.Clocks;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.StandardMBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that does not answer is removed from the ring by another one. */
class DeadMemberTest {
  private static final int DEAD = 3;
  private static final NodeId NODE = new NodeId("127.0.0." + DEAD + ":9042");
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final RingOfThree ring = new RingOfThree();
  private final List<String> removed = new CopyOnWriteArrayList<>();

  /** All addresses have one server, and the node that is gone is asked first. */
  private final AtomicInteger silent = new AtomicInteger(1);

  private volatile List<String> live = List.of("127.0.0.1:7000", "127.0.0.2:7000");

  /** Why none removes it now; empty if one does. */
  private volatile String removing = "";

  /** Times that nodes are asked until they know that it is dead. */
  private final AtomicInteger unconvicted = new AtomicInteger();

  private ServedBeans served;
  private JmxPool jmx;

  /** What a node says and does. */
  public interface Deeds {
    String getOperationMode();

    List<String> getLiveNodesWithPort();

    void removeNode(String hostId);
  }

  private final class RingNode implements Deeds {
    @Override
    public String getOperationMode() {
      if (silent.getAndDecrement() > 0) {
        throw new IllegalStateException("no answer");
      }
      return "NORMAL";
    }

    @Override
    public List<String> getLiveNodesWithPort() {
      return unconvicted.getAndDecrement() > 0 ? all() : live;
    }

    @Override
    public void removeNode(String hostId) {
      if (!removing.isEmpty()) {
        ring.nodes.remove(UUID.fromString(hostId));
        throw new UnsupportedOperationException(removing);
      }
      removed.add(hostId);
      ring.nodes.remove(UUID.fromString(hostId));
    }
  }

  @BeforeEach
  void listen() throws Exception {
    ring.copies = 2;
    MBeanServer beans = MBeanServerFactory.newMBeanServer();
    beans.registerMBean(
        new StandardMBean(new RingNode(), Deeds.class), NodeJmx.name(StorageService.BEAN));
    served = ServedBeans.of(beans);
    jmx = new JmxPool(CassandraContact.of("127.0.0.1:9042", served.port()));
  }

  @AfterEach
  void stop() throws IOException {
    jmx.close();
    served.close();
  }

  private void leave() throws EngineException {
    new Membership(ring.session(word -> {}), jmx, Clocks.SYSTEM)
        .leave(NODE, LIMIT, InCharge.ANYBODY);
  }

  @Test
  void anotherNodeRemovesIt() throws Exception {
    leave();
    assertThat(removed).containsExactly(new UUID(0, DEAD).toString());
  }

  /** Cassandra before 6.0 says so of the node that is asked, later ones of the one that is gone. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "This node is already processing a removal. Wait for it to complete, or use"
            + " 'removenode force' if this has failed.",
        "Can not remove a node that has an in-progress sequence"
      })
  void aRemovalThatAnEarlierControllerBeganIsWaitedFor(String refusal) throws Exception {
    removing = refusal;
    leave();
    assertThat(removed).isEmpty();
    assertThat(ring.nodes).hasSize(2);
  }

  private static List<String> all() {
    return List.of("127.0.0.1:7000", "127.0.0.2:7000", "127.0.0.3:7000");
  }

  /** Gossip takes some seconds to find out. */
  @Test
  void whetherOneThatDoesNotAnswerIsDeadIsWaitedFor() throws Exception {
    unconvicted.set(6);
    leave();
    assertThat(removed).containsExactly(new UUID(0, DEAD).toString());
  }

  /** Started again the node has them still. */
  @Test
  void dataThatNoOtherNodeHasAreNotGivenUp() {
    ring.copies = 1;
    assertThatThrownBy(this::leave)
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "node 127.0.0.3:9042 is dead, and some data have no other copy: start it again");
    assertThat(removed).isEmpty();
  }

  @Test
  void aNodeWhoseJmxAloneIsSilentIsNotCalledDead() {
    live = all();
    assertThatThrownBy(this::leave)
        .isInstanceOf(EngineException.class)
        .hasMessageStartingWith("node 127.0.0.3:9042 can't leave the ring: it does not answer (")
        .hasMessageContaining(", and is alive for node 127.0.0.");
    assertThat(removed).isEmpty();
  }
}
