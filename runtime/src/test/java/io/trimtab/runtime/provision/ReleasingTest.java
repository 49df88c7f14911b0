package io.trimtab.runtime.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.control.MachineMark;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.util.ArrayList;
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
    List<NodeId> first = place.kept.started();
    place.made.provider().add("slo-9/new-1", Profile.READ, List.of(), ProvisionFixture.LIMIT);
    place.clock.advance(ProvisionFixture.LIMIT);
    assertThat(place.live()).hasSize(4);

    place.release(false, FaultPoints.NONE);

    assertThat(place.live()).isEmpty();
    assertThat(place.made.provider().machines()).isEmpty();
    assertThat(place.told).hasSize(4).allMatch(line -> line.startsWith("given back: "));
    // The address is most likely that of the first one.
    assertThat(place.told.subList(1, 4))
        .containsExactly(
            "given back: " + first.get(2),
            "given back: " + first.get(1),
            "given back: " + first.get(0));
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
    assertThat(place.kept.started()).containsExactlyInAnyOrderElementsOf(place.live());

    place.release(false, FaultPoints.NONE);
    assertThat(place.live()).isEmpty();
  }

  /** Their machines may be another cluster's by then. */
  @Test
  void nodesThatWereGivenBackAreNotStoppedAgain() throws EngineException {
    place.release(false, FaultPoints.NONE);
    assertThat(place.kept.started()).isEmpty();
    List<String> asked = new ArrayList<>();
    place.provider = place.watched(asked::add, answer -> {});

    place.release(false, FaultPoints.NONE);
    assertThat(asked).isNotEmpty().containsOnly("machines");
  }

  @Test
  void nobodyElseIsInChargeUntilTheLastIsGone() throws EngineException {
    List<Boolean> held = new ArrayList<>();
    place.provider =
        place.watched(
            verb -> {
              if (verb.equals("release")) {
                held.add(place.made.control().holder().isPresent());
              }
            },
            answer -> {});

    place.release(false, FaultPoints.NONE);
    assertThat(held).containsExactly(true, true, true);
    assertThat(place.made.control().holder()).isEmpty();
  }

  @Test
  void aMachineThatWasAskedForAndComesMeanwhileIsGivenBackToo() throws EngineException {
    List<NodeId> late = new ArrayList<>();
    place.provider =
        place.watched(
            verb -> {
              if (verb.equals("release") && late.isEmpty()) {
                late.add(place.late());
              }
            },
            answer -> {});

    place.release(false, FaultPoints.NONE);
    assertThat(late).hasSize(1);
    assertThat(place.made.provider().machines()).isEmpty();
    assertThat(place.told).hasSize(4).endsWith("given back: " + late.get(0));
  }

  /** Else a person who was asked to stop a node would be believed to have done so. */
  @Test
  void aClusterThatKeepsSilentIsNotTakenForStoppedBeforeTheLastMachine() throws EngineException {
    List<String> looks = new ArrayList<>();
    place.provider =
        place.watched(
            verb -> {
              if (verb.equals("release")) {
                place.away = true;
                looks.add(place.look());
              }
            },
            answer -> {});

    place.release(false, FaultPoints.NONE);
    assertThat(looks).containsExactly("here: no answer", "here: no answer", "0 nodes");
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
    assertThatThrownBy(() -> place.release(false, FaultPoints.NONE))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "shop: the cluster at here does not answer, so that nobody knows whether an autopilot"
                + " is in charge; if none is, add --unreachable");
    assertThat(place.made.provider().machines()).hasSize(3);
    assertThat(place.kept.step()).isEqualTo(Provisioned.Step.RUNNING);

    place.release(false, true, FaultPoints.NONE);
    assertThat(place.made.provider().machines()).isEmpty();
  }

  @Test
  void theTableOfAnotherClusterAtTheAddressIsLeft() throws EngineException {
    place
        .made
        .control()
        .overwrite(MachineMark.DOCUMENT, new MachineMark("slo-logs-00000000", "logs").content());
    place.tables.clear();
    place.tables.add("shop.orders");

    assertThatThrownBy(() -> place.release(true, FaultPoints.NONE))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "shop: the cluster at here is not the one that was made for it; its table is left");
    assertThatThrownBy(() -> place.release(false, FaultPoints.NONE))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("is not the one that was made for it")
        .hasMessageEndingWith("add --unreachable");
    assertThat(place.tables).containsExactly("shop.orders");
    assertThat(place.live()).hasSize(3);
  }

  /** A second run that promised it would delete nothing. */
  @Test
  void aTableCanOnlyBeDeletedBeforeMachinesAreGivenBack() throws EngineException {
    NodeId stuck = place.live().get(1);
    place.made.faults().always(Verb.REMOVE, stuck, Kind.FAIL);
    assertThatThrownBy(() -> place.release(false, FaultPoints.NONE))
        .hasMessageContaining("shop: not given back: " + stuck);

    assertThatThrownBy(() -> place.release(true, FaultPoints.NONE))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "shop: its machines are being given back, so that its table can't be deleted any more;"
                + " leave out --drop-table");
    place.made.faults().clear();
    place.release(false, FaultPoints.NONE);
    assertThat(place.live()).isEmpty();
  }

  @Test
  void aTableThatWasDeletedIsNoMatterForTheSameCommandGivenAgain() throws EngineException {
    NodeId stuck = place.live().get(1);
    place.made.faults().always(Verb.REMOVE, stuck, Kind.FAIL);
    assertThatThrownBy(() -> place.release(true, FaultPoints.NONE))
        .hasMessageEndingWith("; the same command tries again");
    assertThat(place.told).contains("deleted: table shop.orders");
    place.made.faults().clear();

    place.release(true, FaultPoints.NONE);
    assertThat(place.live()).isEmpty();
  }
}
