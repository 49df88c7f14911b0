package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A node of another machine with a heap of 100 MiB, whose row cache holds 4 MiB and may hold 10.
 */
class RowCacheMemoryTest {
  private static final long MIB = 1 << 20;
  private static final int THREADS = 12;
  private static final NodeId NODE = new NodeId("127.0.0.1:9042");

  private final Map<String, Object> capacity = new ConcurrentHashMap<>(Map.of("Value", 10 * MIB));
  private final Map<String, Object> system = new ConcurrentHashMap<>();
  private final Map<String, Integer> threads =
      new ConcurrentHashMap<>(Map.of("ReadStage", 6, "MutationStage", 6));
  private volatile String refused = "";
  private ServedBeans served;
  private NodeJmx jmx;

  /** Has some attributes; sets the cache's capacity; knows the threads of stages. */
  private final class Bean implements DynamicMBean {
    private final Map<String, ?> attributes;

    private Bean(Map<String, ?> attributes) {
      this.attributes = attributes;
    }

    @Override
    public Object getAttribute(String name) throws AttributeNotFoundException {
      if (!attributes.containsKey(name)) {
        throw new AttributeNotFoundException(name);
      }
      return attributes.get(name);
    }

    @Override
    public void setAttribute(Attribute set) {
      capacity.put("Value", (Long) set.getValue() * MIB);
    }

    @Override
    public Object invoke(String operation, Object[] parameters, String[] signature) {
      if (operation.equals("setConcurrency")) {
        if (parameters[0].equals(refused)) {
          throw new IllegalStateException("busy");
        }
        threads.put((String) parameters[0], (Integer) parameters[2]);
        return null;
      }
      Object stage = ((List<?>) parameters[0]).get(0);
      return Map.of(stage, List.of(1, threads.get((String) stage)));
    }

    @Override
    public AttributeList getAttributes(String[] names) {
      return new AttributeList();
    }

    @Override
    public AttributeList setAttributes(AttributeList list) {
      return list;
    }

    @Override
    public MBeanInfo getMBeanInfo() {
      return new MBeanInfo(Bean.class.getName(), "", null, null, null, null);
    }
  }

  @BeforeEach
  void node() throws IOException, JMException {
    CompositeType usage =
        new CompositeType(
            "usage",
            "-",
            new String[] {"max"},
            new String[] {"-"},
            new OpenType<?>[] {SimpleType.LONG});
    var heap = new CompositeDataSupport(usage, Map.of("max", 100 * MIB));
    MBeanServer beans = MBeanServerFactory.newMBeanServer();
    register(beans, "java.lang:type=Memory", Map.of("HeapMemoryUsage", heap));
    register(beans, "java.lang:type=OperatingSystem", system);
    // Not of this machine: no process has the number.
    register(beans, "java.lang:type=Runtime", Map.of("Pid", -1L, "StartTime", 0L));
    register(beans, CassandraNodeReader.ROW_CACHE + "Capacity", capacity);
    register(beans, CassandraNodeReader.ROW_CACHE + "Size", Map.of("Value", 4 * MIB));
    register(beans, NodeProfile.CACHES, Map.of());
    register(beans, StorageService.BEAN, Map.of());
    served = ServedBeans.of(beans);
    jmx = served.connect();
  }

  private void register(MBeanServer beans, String name, Map<String, ?> attributes)
      throws JMException {
    beans.registerMBean(new Bean(attributes), NodeJmx.name(name));
  }

  @AfterEach
  void stop() throws IOException {
    jmx.close();
    served.close();
  }

  private void memory(long mebibytes) {
    system.put("TotalPhysicalMemorySize", mebibytes * MIB);
  }

  private long capacityMib() {
    return (Long) capacity.get("Value") / MIB;
  }

  @Test
  void aCacheThatMemoryHasNoRoomForIsNotEnlarged() throws Exception {
    memory(154);
    assertThatThrownBy(() -> NodeProfile.apply(jmx, Profile.READ, THREADS, InCharge.ANYBODY))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("could grow by 51 MiB, and 50 MiB of memory are free");
    assertThat(capacityMib()).isEqualTo(10);
    memory(155);
    NodeProfile.apply(jmx, Profile.READ, THREADS, InCharge.ANYBODY);
    assertThat(capacityMib()).isEqualTo(55);
  }

  @Test
  void aCacheThatDoesNotGrowNeedsNoMemory() throws Exception {
    memory(100);
    NodeProfile.apply(jmx, Profile.WRITE, THREADS, InCharge.ANYBODY);
    assertThat(capacityMib()).isEqualTo(10);
  }

  @Test
  void memoryThatIsNotKnownRefusesNothing() throws Exception {
    NodeProfile.apply(jmx, Profile.READ, THREADS, InCharge.ANYBODY);
    assertThat(capacityMib()).isEqualTo(55);
  }

  @Test
  void threadsStayAsTheyAreOnceControlIsLost() {
    int[] asked = new int[1];
    InCharge lostAfterTheCache =
        () -> {
          if (asked[0]++ > 0) {
            throw new LostControlException("control was lost");
          }
        };
    assertThatThrownBy(() -> NodeProfile.apply(jmx, Profile.READ, THREADS, lostAfterTheCache))
        .isInstanceOf(LostControlException.class);
    assertThat(capacityMib()).isEqualTo(55);
    assertThat(threads).containsEntry("ReadStage", 6).containsEntry("MutationStage", 6);
  }

  /** The threads of before are parted, not what a change that failed half-way has left. */
  @Test
  void aChangeThatFailedHalfWayCostsNoThreads() throws Exception {
    NodeProfile.Threads had = new NodeProfile.Threads();
    try (JmxPool pool = new JmxPool(CassandraContact.of(NODE.name(), served.port()))) {
      refused = "ReadStage";
      assertThatThrownBy(() -> NodeProfile.apply(pool, had, NODE, Profile.READ, InCharge.ANYBODY))
          .isInstanceOf(EngineException.class);
      assertThat(threads).containsEntry("ReadStage", 6).containsEntry("MutationStage", 2);

      refused = "";
      NodeProfile.apply(pool, had, NODE, Profile.READ, InCharge.ANYBODY);
      assertThat(threads).containsEntry("ReadStage", 10).containsEntry("MutationStage", 2);

      // What an operator sets between two changes counts.
      threads.put("ReadStage", 18);
      NodeProfile.apply(pool, had, NODE, Profile.READ, InCharge.ANYBODY);
      assertThat(threads).containsEntry("ReadStage", 17).containsEntry("MutationStage", 3);
    }
  }
}
