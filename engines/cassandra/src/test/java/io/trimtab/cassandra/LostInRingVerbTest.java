package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.host.Clocks;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A verb of several steps ends before the next one once control is lost. */
class LostInRingVerbTest {
  private static final NodeId NODE = new NodeId("127.0.0.1:9042");
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final List<String> done = new CopyOnWriteArrayList<>();
  private String losesAt = "";
  private boolean held = true;
  private volatile int cleanedUp;
  private ServedBeans served;
  private JmxPool jmx;

  private final InCharge control =
      () -> {
        if (!held) {
          throw new LostControlException("control was lost");
        }
      };

  /** What a node says and does. */
  public interface RingNodeMXBean {
    String getOperationMode();

    void decommission(boolean force);

    int forceKeyspaceCleanup(String keyspace, String[] tables);
  }

  private final class RingNode implements RingNodeMXBean {
    @Override
    public String getOperationMode() {
      lose("mode");
      return "NORMAL";
    }

    @Override
    public void decommission(boolean force) {
      done("decommission");
    }

    @Override
    public int forceKeyspaceCleanup(String keyspace, String[] tables) {
      done("cleanup " + keyspace);
      return cleanedUp;
    }
  }

  private void lose(String at) {
    if (losesAt.equals(at)) {
      held = false;
    }
  }

  private void done(String what) {
    done.add(what);
    lose(what);
  }

  private final RingOfThree ring = new RingOfThree();

  private final CqlSession session =
      ring.session(
          word -> {
            if (word.equals("ALTER")) {
              done(word);
            }
            lose(word);
          });

  @BeforeEach
  void listen() throws Exception {
    MBeanServer beans = MBeanServerFactory.newMBeanServer();
    beans.registerMBean(new RingNode(), NodeJmx.name(StorageService.BEAN));
    served = ServedBeans.of(beans);
    jmx = new JmxPool(CassandraContact.of(NODE.name(), served.port()));
  }

  @AfterEach
  void stop() throws IOException {
    jmx.close();
    served.close();
  }

  private Membership membership() {
    return new Membership(session, jmx, Clocks.SYSTEM);
  }

  @Test
  void noNodeLeavesAfterAnAnswerThatCameTooLate() {
    losesAt = "mode";
    assertThatThrownBy(() -> membership().leave(NODE, LIMIT, control))
        .isInstanceOf(LostControlException.class);
    assertThat(done).isEmpty();
  }

  @Test
  void noFurtherKeyspaceIsCleanedUp() {
    losesAt = "cleanup a";
    assertThatThrownBy(() -> membership().cleanup(NODE, LIMIT, control))
        .isInstanceOf(LostControlException.class);
    assertThat(done).containsExactly("cleanup a");
  }

  /** Cassandra only returns a status, as nodetool knows. */
  @Test
  void aCleanupThatTheNodeDidNotDoHasFailed() {
    for (int status : new int[] {1, 2}) {
      cleanedUp = status;
      assertThatThrownBy(() -> membership().cleanup(NODE, LIMIT, control))
          .isInstanceOf(EngineException.class)
          .hasMessageStartingWith("node 127.0.0.1:9042 can't be cleaned up, keyspace a: ");
    }
    assertThat(done).containsExactly("cleanup a", "cleanup a");
  }

  @Test
  void noFurtherStepOfTheReplicationFollows() {
    losesAt = "ALTER";
    assertThatThrownBy(() -> new ControlKeyspace(session, "the ring").adapt(control))
        .isInstanceOf(LostControlException.class);
    assertThat(done).containsExactly("ALTER");
  }

  @Test
  void noStepFollowsARepairThatTookTooLong() {
    losesAt = "SELECT";
    assertThatThrownBy(
            () -> new ControlKeyspace(session, "the ring").adaptTo(control, ring.nodes.values()))
        .isInstanceOf(LostControlException.class);
    assertThat(done).isEmpty();
  }
}
