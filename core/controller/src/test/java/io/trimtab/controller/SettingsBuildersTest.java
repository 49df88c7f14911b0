package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.controller.settings.SplitSettings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.plan.Action;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each value that is set arrives in the component of its name, and in no other. */
class SettingsBuildersTest {
  /** Valid for the component of that name wherever it is; none is a default. */
  private static final Map<String, Object> VALUES =
      Map.ofEntries(
          Map.entry("minNodes", 2),
          Map.entry("maxNodes", 30),
          Map.entry("badNodesMax", 0.4),
          Map.entry("actionLimit", Duration.ofMinutes(3)),
          Map.entry("minMiBPerSecond", 10),
          Map.entry("blackouts", List.of("01:00-02:00")),
          Map.entry("way", Action.ApplyMode.RESTART),
          Map.entry("weighByLoad", true),
          Map.entry("blockSizes", false),
          Map.entry("whenHealthy", true),
          Map.entry("enabled", false),
          Map.entry("tokens", PlaceSettings.Tokens.ENGINE),
          Map.entry("balancer", PlaceSettings.Balance.USAGE),
          Map.entry("tables", List.of("t.csv")),
          Map.entry("also", List.of("b.yaml")),
          Map.entry("listen", "localhost:1"),
          Map.entry("slowTimes", 2.5),
          Map.entry("low", 0.2));

  private static Object value(RecordComponent component) {
    Object special = VALUES.get(component.getName());
    // Two groups may have values of the same name.
    if (component.getType().isInstance(special)) {
      return special;
    }
    Class<?> type = component.getType();
    return type == Integer.class
        ? (Object) 9
        : type == Long.class
            ? (Object) 9L
            : type == Double.class
                ? (Object) 0.65
                : type == Duration.class ? Duration.ofMinutes(7) : component.getName();
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        GuardSettings.class,
        PlaceSettings.class,
        ObserveSettings.class,
        HealthSettings.class,
        SplitSettings.class,
        UsageSettings.class,
        SloSettings.class
      })
  void eachValueArrivesWhereItBelongs(Class<?> group) throws ReflectiveOperationException {
    Object defaults = build(group.getMethod("builder").invoke(null));
    for (RecordComponent set : group.getRecordComponents()) {
      Object value = value(set);
      Object builder = group.getMethod("builder").invoke(null);
      setter(builder, set).invoke(builder, value);
      Object built = build(builder);
      for (RecordComponent component : group.getRecordComponents()) {
        Object expected =
            component.getName().equals(set.getName())
                ? value
                : component.getAccessor().invoke(defaults);
        assertThat(component.getAccessor().invoke(built))
            .as(set + " → " + component)
            .isEqualTo(expected);
      }
      assertThat(built).as("%s is not the default", set).isNotEqualTo(defaults);
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {PlaceSettings.class, ObserveSettings.class})
  void toBuilderKeepsEveryValue(Class<?> group) throws ReflectiveOperationException {
    Object builder = group.getMethod("builder").invoke(null);
    for (RecordComponent component : group.getRecordComponents()) {
      setter(builder, component).invoke(builder, value(component));
    }
    Object built = build(builder);
    assertThat(build(group.getMethod("toBuilder").invoke(built))).isEqualTo(built);
  }

  @ParameterizedTest
  @ValueSource(ints = {25, 30})
  void limitsAreCheckedTogetherInWhateverOrderTheyAreSet(int minNodes) {
    assertThat(GuardSettings.builder().minNodes(minNodes).maxNodes(30).build().maxNodes())
        .isEqualTo(30);
    assertThatThrownBy(() -> GuardSettings.builder().minNodes(minNodes).maxNodes(24).build())
        .hasMessageStartingWith("guard.maxNodes");
  }

  private static Method setter(Object builder, RecordComponent component)
      throws NoSuchMethodException {
    return builder.getClass().getMethod(component.getName(), component.getType());
  }

  private static Object build(Object builder) throws ReflectiveOperationException {
    return builder.getClass().getMethod("build").invoke(builder);
  }
}
