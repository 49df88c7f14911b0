package io.trimtab.engineapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeCapacityTest {
  private static final NodeId A = new NodeId("a:1");
  private static final NodeId B = new NodeId("b:1");
  private static final NodeId C = new NodeId("c:1");

  private static NodeCapacity capacity(int spare, OptionalInt quota) {
    return new NodeCapacity(spare, quota, OptionalDouble.of(2), Optional.empty());
  }

  @Test
  void itIsToldWhyNoNodeCanBeAdded() {
    assertThat(capacity(1, OptionalInt.of(5)).because("of something").hindrance()).isEmpty();
    assertThat(capacity(0, OptionalInt.of(5)).hindrance())
        .hasValue("no node can be added: quota of 5 machines is used up");
    assertThat(capacity(0, OptionalInt.of(5)).because("the pool is not ready").hindrance())
        .hasValue("no node can be added: the pool is not ready");
    assertThat(NodeCapacity.of(0).hindrance())
        .hasValue("no node can be added: the node provider has none left");
  }

  @Test
  void whoCanNotTellNeitherAddsNorGivesBack() {
    NodeCapacity untold = NodeCapacity.untold("the cloud is away");

    assertThat(untold.spare()).isZero();
    assertThat(untold.hindrance()).hasValue("no node can be added: the cloud is away");
    assertThat(untold.removable().allows(A, Set.of(), false)).isFalse();
    assertThat(untold.removable().rule()).isEqualTo("the cloud is away");
    assertThat(untold.reconfigurable().allows(A)).isFalse();
    assertThat(untold.reconfigurable().rule()).isEqualTo("the cloud is away");
  }

  @Test
  void someAreRestartedWithAnotherProfileAndOthersNot() {
    NodeCapacity.Reconfigurable some = NodeCapacity.Reconfigurable.only(Set.of(A), "only a");
    NodeCapacity capacity =
        NodeCapacity.of(1)
            .with(some)
            .with(Removable.only(Set.of(B), "only b"))
            .with(NodeCapacity.Places.at(List.of(C)))
            .with(Map.of(A, 3.0))
            .because("of nothing");

    assertThat(capacity.places().node(0)).contains(C);
    assertThat(capacity.places().node(1)).isEmpty();
    assertThat(NodeCapacity.of(1).places().told()).isFalse();
    assertThat(capacity.reconfigurable()).isEqualTo(some);
    assertThat(some.allows(A)).isTrue();
    assertThat(some.allows(B)).isFalse();
    assertThat(NodeCapacity.of(1).reconfigurable().allows(B)).isTrue();
    assertThatThrownBy(() -> NodeCapacity.Reconfigurable.only(Set.of(), ""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aNodeCountsByItsOwnPriceWhereThatIsKnown() {
    NodeCapacity capacity = capacity(1, OptionalInt.empty()).with(Map.of(A, 3.0));

    assertThat(capacity.inNodes(A)).isEqualTo(1.5);
    assertThat(capacity.inNodes(B)).isEqualTo(1);
    assertThatThrownBy(() -> capacity.with(Map.of(A, -1.0)))
        .hasMessage("price must be ≥ 0, not -1.0");
  }

  @Test
  void whatGoesInTurnGoesOnlyInTurnAndBeforeAnythingJoins() {
    Removable rows = Removable.inTurn(List.of(List.of(A, B), List.of(C)), "in turn");

    assertThat(rows.allows(A, Set.of(), false)).isTrue();
    assertThat(rows.allows(C, Set.of(), false)).isTrue();
    assertThat(rows.allows(B, Set.of(), false)).isFalse();
    assertThat(rows.allows(B, Set.of(A), false)).isTrue();
    assertThat(rows.allows(A, Set.of(), true)).isFalse();
  }

  @Test
  void someGoAtAnyTimeAndOthersNever() {
    Removable some = Removable.only(Set.of(A), "only a");

    assertThat(some.allows(A, Set.of(), true)).isTrue();
    assertThat(some.allows(B, Set.of(A), false)).isFalse();
    assertThat(Removable.ALL.allows(B, Set.of(), true)).isTrue();
    assertThatThrownBy(() -> Removable.only(Set.of(), ""))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
