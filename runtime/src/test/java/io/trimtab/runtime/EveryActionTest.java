package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.formats.JsonMappers;
import io.trimtab.runtime.journal.PlanText;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the recipe of CONTRIBUTING.md for an action asks for and no compiler looks after: a kind
 * that journals can't hold is lost when a plan is resumed.
 */
class EveryActionTest {
  private static final Map<Class<?>, Object> EXAMPLES =
      Map.ofEntries(
          Map.entry(PartitionId.class, new PartitionId("t", "p1")),
          Map.entry(NodeId.class, new NodeId("a:1")),
          Map.entry(RowKey.class, new RowKey("1c31")),
          Map.entry(KeyRange.class, new KeyRange(new RowKey("10"), new RowKey("20"))),
          Map.entry(Profile.class, Profile.READ),
          Map.entry(NodeSetting.class, NodeSetting.KEY_CACHE),
          Map.entry(Action.ApplyMode.class, Action.ApplyMode.RESTART),
          Map.entry(String.class, "t"),
          Map.entry(List.class, List.of(-7L, 5L)),
          Map.entry(int.class, 7),
          Map.entry(long.class, 7L),
          Map.entry(double.class, 0.25));

  static Stream<Class<?>> kinds() {
    return Arrays.stream(Action.class.getPermittedSubclasses());
  }

  private static Action example(Class<?> kind) throws ReflectiveOperationException {
    RecordComponent[] parts = kind.getRecordComponents();
    Class<?>[] types = Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
    assertThat(EXAMPLES.keySet()).as("examples of what %s is made of", kind).contains(types);
    Object[] values = Arrays.stream(types).map(EXAMPLES::get).toArray();
    var constructor = kind.getDeclaredConstructor(types);
    return (Action) constructor.newInstance(values);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void isReadFromAJournalAsItWasWritten(Class<?> kind) throws Exception {
    Action action = example(kind);
    PlannedAction planned = new PlannedAction(1, action, "why", "what", "cost", "undo");

    String written = JsonMappers.MAPPER.writeValueAsString(planned);

    assertThat(JsonMappers.MAPPER.readTree(written).path("action").path("kind").asText())
        .as("the name in JsonMappers is what operators call it")
        .isEqualTo(action.kind());
    assertThat(JsonMappers.MAPPER.readValue(written, PlannedAction.class)).isEqualTo(planned);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void hasWordsForPeople(Class<?> kind) throws Exception {
    Action action = example(kind);

    assertThat(action.kind()).matches("[a-z]+(-[a-z]+)*");
    assertThat(PlanText.subject(action)).isNotBlank().doesNotContain("\n").doesNotContain("[node=");
  }

  @Test
  void kindsHaveNamesOfTheirOwn() throws Exception {
    for (Class<?> kind : kinds().toList()) {
      List<String> others =
          kinds().filter(other -> other != kind).map(EveryActionTest::name).toList();
      assertThat(others).doesNotContain(example(kind).kind());
    }
  }

  private static String name(Class<?> kind) {
    try {
      return example(kind).kind();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(kind + " is no record of public parts", e);
    }
  }
}
