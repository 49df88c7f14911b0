package io.trimtab.runtime.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReleasingTest {
  private final ProvisionFixture place = ProvisionFixture.assigned();

  @BeforeEach
  void provisioned() throws EngineException {
    place.provision(FaultPoints.NONE);
    place.told.clear();
  }

  @Test
  void allMachinesAreGivenBackThoseOfAnAutopilotIncluded() throws EngineException {
    place.made.provider().add("slo-9/new-1", Profile.READ, List.of(), ProvisionFixture.LIMIT);
    place.clock.advance(ProvisionFixture.LIMIT);
    assertThat(place.live()).hasSize(4);

    place.release(false, FaultPoints.NONE);

    assertThat(place.live()).isEmpty();
    assertThat(place.made.provider().machines()).isEmpty();
    assertThat(place.told).hasSize(4).allMatch(line -> line.startsWith("given back: "));
  }

  @Test
  void theTableIsDeletedOnlyWhenTold() throws EngineException {
    place.tables.clear();
    place.tables.add("shop.orders");
    place.release(false, FaultPoints.NONE);
    assertThat(place.tables).containsExactly("shop.orders");

    ProvisionFixture other = ProvisionFixture.assigned();
    other.provision(FaultPoints.NONE);
    other.tables.add("shop.orders");
    other.release(true, FaultPoints.NONE);
    assertThat(other.tables).doesNotContain("shop.orders");
    assertThat(other.told).contains("deleted: table shop.orders");
  }

  @Test
  void nothingIsStoppedWhileAnAutopilotIsInCharge() throws EngineException {
    try (ControlLock held = place.made.control().take("an autopilot")) {
      assertThatThrownBy(() -> place.release(true, FaultPoints.NONE))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("an autopilot")
          .hasMessageEndingWith("; stop it first: trimtab stop");
      assertThat(held.held()).isTrue();
    }
    assertThat(place.live()).hasSize(3);
    assertThat(place.kept.step()).isEqualTo(Provisioned.Step.RUNNING);
  }

  @Test
  void killedInBetweenTheNextRunGivesBackTheRest() throws EngineException {
    assertThatThrownBy(() -> place.release(false, ProvisionFixture.killedAt(2)))
        .isInstanceOf(ProvisionFixture.KilledException.class);
    assertThat(place.live()).hasSize(2);
    assertThat(place.kept.step()).isEqualTo(Provisioned.Step.RELEASING);

    place.release(false, FaultPoints.NONE);
    assertThat(place.live()).isEmpty();
  }

  @Test
  void aMachineThatIsNotGivenBackIsNamedAndTheOthersAre() throws EngineException {
    NodeId stuck = place.live().get(1);
    place.made.faults().always(Verb.REMOVE, stuck, Kind.FAIL);

    assertThatThrownBy(() -> place.release(false, FaultPoints.NONE))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("shop: not given back: " + stuck)
        .hasMessageEndingWith("; the same command tries again");
    assertThat(place.live()).containsExactly(stuck);

    place.made.faults().clear();
    place.release(false, FaultPoints.NONE);
    assertThat(place.live()).isEmpty();
  }

  @Test
  void aClusterThatDoesNotAnswerIsGivenBackButItsTableCantBeDeleted() throws EngineException {
    place.live().forEach(place.made::kill);

    assertThatThrownBy(() -> place.release(true, FaultPoints.NONE))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("does not answer, so that its table can't be deleted");
    assertThat(place.made.provider().machines()).hasSize(3);

    place.release(false, FaultPoints.NONE);
    assertThat(place.made.provider().machines()).isEmpty();
  }
}
