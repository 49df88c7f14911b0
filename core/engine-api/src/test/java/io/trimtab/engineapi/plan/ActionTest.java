package io.trimtab.engineapi.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ActionTest {
  private static final NodeId NODE = new NodeId("n1:16020");
  private static final PartitionId PARTITION = new PartitionId("t", "p");

  private static final List<Action> ONE_OF_EACH =
      List.of(
          new Action.Move(PARTITION, NODE, NODE),
          new Action.Split(PARTITION, RowKey.EMPTY, 0.5, NODE, NODE),
          new Action.Merge(PARTITION, PARTITION, KeyRange.ALL, RowKey.EMPTY),
          new Action.Reconfigure(NODE, Profile.READ, Profile.WRITE, Action.ApplyMode.ONLINE),
          new Action.SetNode(NODE, NodeSetting.COMPACTION_THROUGHPUT, 1, 2),
          new Action.SetBlockSize("t", 1, 2),
          new Action.Compact(PARTITION, Action.Compact.ALWAYS),
          new Action.AddNode(1, Profile.READ),
          new Action.ReplaceNode(1, NODE, Profile.READ),
          new Action.Cleanup(NODE),
          new Action.DrainNode(NODE),
          new Action.RemoveNode(NODE));

  /** Two kinds with the same parameters could be handled as each other. */
  @Test
  void everyKindIsHandledAsItself() {
    assertThat(ONE_OF_EACH)
        .extracting(Object::getClass)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.<Class<?>>asList(Action.class.getPermittedSubclasses()));
    List<Class<?>> handledAs = new ArrayList<>();
    @SuppressWarnings("unchecked")
    ActionVisitor<Void, RuntimeException> visitor =
        (ActionVisitor<Void, RuntimeException>)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ActionVisitor.class},
                (proxy, method, arguments) -> {
                  handledAs.add(method.getParameterTypes()[0]);
                  return null;
                });
    ONE_OF_EACH.forEach(action -> action.accept(visitor));
    assertThat(handledAs).isEqualTo(ONE_OF_EACH.stream().map(Object::getClass).toList());
  }

  @Test
  void aPlanGivesItsActionsOfOneKindInOrder() {
    var first = new Action.Move(new PartitionId("t", "a"), NODE, NODE);
    var second = new Action.Move(new PartitionId("t", "b"), NODE, NODE);
    List<PlannedAction> steps = new ArrayList<>();
    for (Action action : List.of(second, new Action.DrainNode(NODE), first)) {
      steps.add(new PlannedAction(steps.size() + 1, action, "r", "e", "c", "u"));
    }
    Plan plan = new Plan("p", "c", Instant.EPOCH, "met", "s", 0, steps);
    assertThat(plan.actions(Action.Move.class)).containsExactly(second, first);
    assertThat(plan.actions(Action.RemoveNode.class)).isEmpty();
    assertThat(first.as(Action.DrainNode.class)).isEmpty();
  }
}
