package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import io.trimtab.testkit.oracle.EngineBehaviour;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Nested;

/** The cluster in memory does what every engine must, with and without each capability. */
class InMemoryBehaviourTest {
  private static final TableSpec TABLE =
      TableSpec.of("k.t", 9, 100_000_000, new Access(300, 5, 20, 100));

  abstract static class OnMemory extends EngineBehaviour {
    private final InMemoryCluster cluster;
    private final Set<Capability> capabilities;

    OnMemory(ClusterSpec spec, Set<Capability> capabilities) {
      this.cluster = new InMemoryCluster(spec);
      this.capabilities = capabilities;
    }

    @Override
    public Set<Capability> can() {
      return capabilities;
    }

    @Override
    public Engine engine() {
      return cluster.engine();
    }

    @Override
    protected NodeProvider provider() {
      return cluster.provider();
    }

    @Override
    protected void pass(Duration time) {
      cluster.clock().advance(time);
    }

    @Override
    protected void kill(NodeId node) {
      cluster.kill(node);
    }

    @Override
    protected void start(NodeId node) {
      cluster.start(node);
    }
  }

  @Nested
  class Assigned extends OnMemory {
    Assigned() {
      super(
          ClusterSpec.assigned(1, 3, TABLE),
          EnumSet.of(
              EngineBehaviour.Capability.PLACEMENT, EngineBehaviour.Capability.ONLINE_PROFILES));
    }
  }

  @Nested
  class WithoutPlugin extends OnMemory {
    WithoutPlugin() {
      super(
          ClusterSpec.assigned(1, 3, TABLE).withOnline(false),
          EnumSet.of(EngineBehaviour.Capability.PLACEMENT));
    }
  }

  @Nested
  class Claimed extends OnMemory {
    Claimed() {
      super(
          ClusterSpec.claimed(1, 3, 2, 64, TABLE),
          EnumSet.noneOf(EngineBehaviour.Capability.class));
    }
  }

  @Nested
  class Tokens extends OnMemory {
    Tokens() {
      super(
          ClusterSpec.ring(1, 3, 2, TABLE),
          EnumSet.of(
              EngineBehaviour.Capability.ONLINE_PROFILES,
              EngineBehaviour.Capability.NODE_SETTINGS));
    }
  }
}
