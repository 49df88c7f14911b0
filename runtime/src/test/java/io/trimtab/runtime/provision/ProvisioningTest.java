package io.trimtab.runtime.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeRead;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.control.MachineMark;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProvisioningTest {
  private final ProvisionFixture place = ProvisionFixture.ring();

  @Test
  void theNodesServeAndTheTableIsThere() throws EngineException {
    Provisioned made = place.provision(FaultPoints.NONE);

    assertThat(made.step()).isEqualTo(Provisioned.Step.RUNNING);
    assertThat(made).isEqualTo(place.kept);
    assertThat(place.live()).hasSize(3).containsExactlyInAnyOrderElementsOf(made.started());
    assertThat(place.tables).containsExactly("shop.orders x 2");
    assertThat(place.told)
        .containsExactly(
            "node " + made.started().get(0) + " serves, 1 of 3",
            "node " + made.started().get(1) + " serves, 2 of 3",
            "node " + made.started().get(2) + " serves, 3 of 3",
            "table shop.orders is there");
  }

  /** By which a provider finds them from any host, whatever the cluster's own id is by now. */
  @Test
  void theClusterKeepsTheMarkOfItsMachines() throws EngineException {
    place.provision(FaultPoints.NONE);

    assertThat(MachineMark.of(place.made.control()))
        .contains(new MachineMark(ProvisionFixture.MARK, "shop"));
    assertThat(place.made.provider().machines())
        .extracting(Machine::requestId)
        .allMatch(request -> request.startsWith(ProvisionFixture.MARK + "/new-"));
  }

  @Test
  void killedAnywhereTheNextRunGoesOnWithTheSameNodes() throws EngineException {
    int points = 0;
    boolean killed = true;
    while (killed) {
      points++;
      ProvisionFixture each = ProvisionFixture.ring();
      try {
        each.provision(ProvisionFixture.killedAt(points));
        killed = false;
      } catch (ProvisionFixture.KilledException e) {
        // A node that was started and not kept has joined when the command is given again.
        each.clock.advance(ProvisionFixture.LIMIT);
        Provisioned made = each.provision(FaultPoints.NONE);
        assertThat(made.step()).as("point %d", points).isEqualTo(Provisioned.Step.RUNNING);
        assertThat(each.live()).containsExactlyInAnyOrderElementsOf(made.started()).hasSize(3);
        assertThat(each.made.provider().machines()).hasSize(3);
        assertThat(each.made.faults().calls(Verb.ADD)).isEqualTo(3);
        assertThat(each.tables).isNotEmpty().allMatch("shop.orders x 2"::equals);
        assertThat(MachineMark.of(each.made.control())).isPresent();
      }
    }
    // Three nodes with two points each, the mark and the table.
    assertThat(points).isEqualTo(9);
  }

  @Test
  void whatWasStartedIsNamedAndKeptWhenAStartFails() throws EngineException {
    place.made.faults().on(Verb.ADD, 2, Kind.FAIL);

    assertThatThrownBy(() -> place.provision(FaultPoints.NONE))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining(
            "shop: 1 of 3 nodes were started and are kept (" + place.live().get(0) + "): ")
        .hasMessageContaining("scripted fault")
        .hasMessageEndingWith(
            "; the same command goes on, `trimtab slo release shop` gives back what was started");
    assertThat(place.kept.started()).isEqualTo(place.live());
    assertThat(place.tables).isEmpty();

    place.provision(FaultPoints.NONE);
    assertThat(place.live()).hasSize(3);
    assertThat(place.made.provider().machines()).hasSize(3);
  }

  /** As the machines of a cloud or a pool are. */
  @Test
  void aNodeThatWasKeptAndHasStoppedIsStartedAgain() throws EngineException {
    for (int stopped = 0; stopped < 2; stopped++) {
      ProvisionFixture each = ProvisionFixture.ring();
      each.provider = each.restarting();
      each.made.faults().on(Verb.ADD, 3, Kind.FAIL);
      assertThatThrownBy(() -> each.provision(FaultPoints.NONE)).hasMessageContaining("2 of 3");
      each.made.kill(each.kept.started().get(stopped));

      Provisioned made = each.provision(FaultPoints.NONE);
      assertThat(each.live()).hasSize(3).containsExactlyInAnyOrderElementsOf(made.started());
    }
  }

  @Test
  void aRequestThatIsAnsweredWithAnotherNodeThanBeforeIsRefused() throws EngineException {
    place.made.faults().on(Verb.ADD, 3, Kind.FAIL);
    assertThatThrownBy(() -> place.provision(FaultPoints.NONE)).hasMessageContaining("2 of 3");
    NodeId first = place.kept.started().get(0);
    NodeId second = place.kept.started().get(1);
    place.kept =
        new Provisioned(
            place.kept.name(),
            place.kept.mark(),
            place.kept.agreement(),
            place.kept.nodeType(),
            place.kept.nodes(),
            place.kept.table(),
            place.kept.copies(),
            place.kept.address(),
            List.of(second, first),
            place.kept.step());

    assertThatThrownBy(() -> place.provision(FaultPoints.NONE))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining(
            "the provider answers request %s/new-1 with node %s, and has answered it with %s before"
                .formatted(ProvisionFixture.MARK, first, second));
  }

  @Test
  void withoutMachinesNothingIsSaidToBeStarted() {
    place.made.faults().always(Verb.ADD, Kind.FAIL);

    assertThatThrownBy(() -> place.provision(FaultPoints.NONE))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("shop: no node is known to be started: ");
    assertThat(place.live()).isEmpty();
  }

  @Test
  void anAddressWithAClusterIsRefused() throws EngineException {
    try (FoundedCluster cluster = place.cluster()) {
      Provisioning.refuseTaken(cluster, "here");
    }
    place.provision(FaultPoints.NONE);

    try (FoundedCluster cluster = place.cluster()) {
      assertThatThrownBy(() -> Provisioning.refuseTaken(cluster, "here"))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("here: a cluster answers there already")
          .hasMessageContaining(place.live().get(0).name());
    }
  }

  /** As HBase's is, while its master starts: its servers are known, and none could be asked. */
  @Test
  void aClusterOfWhichNothingElseIsKnownIsRefused() throws EngineException {
    String away = "the master is initialising";
    place.provision(FaultPoints.NONE);
    ClusterSnapshot whole = place.made.truth();
    ClusterSnapshot unasked =
        whole.with(
            whole.nodes().stream().map(node -> node.with(NodeRead.failed("not asked"))).toList(),
            List.of(),
            List.of(away, "not asked"));
    Engine engine =
        (Engine)
            Proxy.newProxyInstance(
                Engine.class.getClassLoader(),
                new Class<?>[] {Engine.class},
                (proxy, verb, arguments) -> verb.getName().equals("snapshot") ? unasked : null);

    try (FoundedCluster cluster = new FoundedCluster(() -> engine, "mark", place.clock)) {
      assertThat(unasked.clusterGaps()).containsExactly(away);
      assertThatThrownBy(() -> Provisioning.refuseTaken(cluster, "here"))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("here: a cluster answers there already")
          .hasMessageContaining(place.live().get(0).name());
    }
  }

  @Test
  void aNodeThatJoinsAnotherClusterMakesNoTable() throws EngineException {
    place.made.provider().add("other/new-1", Profile.READ, List.of(), ProvisionFixture.LIMIT);
    place.clock.advance(ProvisionFixture.LIMIT);
    String other = place.live().get(0).name();

    assertThatThrownBy(() -> place.provision(FaultPoints.NONE))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("the cluster has nodes that were not started for it: " + other);
    assertThat(place.tables).isEmpty();
    assertThat(MachineMark.of(place.made.control())).isEmpty();
  }

  @Test
  void aClusterThatCantBeAskedMayBeThere() throws EngineException {
    place.away = true;
    try (FoundedCluster cluster = place.cluster()) {
      assertThatThrownBy(() -> Provisioning.refuseTaken(cluster, "here"))
          .isInstanceOf(EngineException.class)
          .hasMessage("whether there is a cluster is not known: here: no answer");
    }
  }

  /** A connection from before does not hide that nobody listens any more, or again. */
  @Test
  void aConnectionThatFailsIsMadeAnew() throws EngineException {
    place.provision(FaultPoints.NONE);
    try (FoundedCluster cluster = place.cluster()) {
      assertThat(cluster.look().nodes()).hasSize(3);
      place.made.faults().on(Verb.SNAPSHOT, 1, Kind.FAIL);
      assertThat(cluster.look().nodes()).hasSize(3);

      place.live().forEach(place.made::kill);
      place.made.faults().on(Verb.SNAPSHOT, 1, Kind.FAIL);
      assertThat(cluster.look().nodes()).isEmpty();
    }
  }

  /** Once a node runs, no other is started in the belief that it is the first. */
  @Test
  void aClusterThatDoesNotAnswerIsNoEmptyOne() throws EngineException {
    try (FoundedCluster cluster = place.cluster()) {
      assertThat(cluster.look().nodes()).isEmpty();
      assertThat(cluster.look().clusterId()).isEqualTo(ProvisionFixture.MARK);
      cluster.runs();
      assertThatThrownBy(cluster::look).hasMessageContaining("nobody listens");
    }
    place.provision(FaultPoints.NONE);
    try (FoundedCluster cluster = place.cluster()) {
      assertThat(cluster.look().clusterId()).isEqualTo(ProvisionFixture.MARK);
      assertThat(cluster.look().nodes()).hasSize(3);
    }
  }

  @Test
  void theLockOfACommandThatWasKilledIsWaitedFor() throws EngineException {
    ControlLock dead = place.made.control().take("killed");
    place.made.control().cutOff();

    try (ControlLock lock = new Control(place.ports).take(place.made.engine())) {
      assertThat(lock.epoch()).isEqualTo(dead.epoch() + 1);
      assertThatThrownBy(() -> new Control(place.ports).take(place.made.engine()))
          .isInstanceOf(ControlTakenException.class);
    }
  }
}
