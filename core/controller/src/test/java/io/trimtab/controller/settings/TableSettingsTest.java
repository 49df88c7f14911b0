package io.trimtab.controller.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What patterns of tables match. */
class TableSettingsTest {
  private static boolean denied(String pattern, String table) {
    return new TableSettings(null, List.of(pattern)).forbids(table).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "orders, orders",
    "*, orders",
    "**, orders",
    "keyspace.*, keyspace.t",
    "keyspace.*, keyspace.",
    "ns:*, ns:t",
    "*_log, a_log_log",
    "o*d*s, orders",
    "o?ders, orders",
    "*ders*, orders",
    "orders*, orders"
  })
  void matches(String pattern, String table) {
    assertThat(denied(pattern, table)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "orders, orders2",
    "orders, order",
    "orders, ns:orders",
    "keyspace.*, keyspacext",
    "o?ders, oders",
    "*_log, a_log2",
    "Orders, orders",
    "o*d*x, orders",
    "orders?, orders",
    "[a-z]*, orders"
  })
  void matchesNot(String pattern, String table) {
    assertThat(denied(pattern, table)).isFalse();
  }

  @Test
  void manyStarsTakeNoLongTime() {
    assertThat(denied("a*".repeat(50) + "b", "a".repeat(5_000))).isFalse();
  }

  @Test
  void everyTableIsAllowedUntilSomethingIsSet() {
    assertThat(new TableSettings(null, null).forbids("t")).isEmpty();
  }

  @Test
  void whatIsNotAllowedIsForbidden() {
    TableSettings tables = new TableSettings(List.of("a*", "b"), null);
    assertThat(tables.forbids("ab")).isEmpty();
    assertThat(tables.forbids("b")).isEmpty();
    assertThat(tables.forbids("c")).isEqualTo(Optional.of("tables.allow"));
    assertThat(new TableSettings(List.of(), null).forbids("a"))
        .isEqualTo(Optional.of("tables.allow"));
  }

  @Test
  void whatIsDeniedIsForbiddenEvenIfAllowed() {
    TableSettings tables = new TableSettings(List.of("a*"), List.of("ab"));
    assertThat(tables.forbids("ab")).isEqualTo(Optional.of("tables.deny"));
    assertThat(tables.forbids("abc")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", " a"})
  void aPatternThatMatchesNoTableIsNoPattern(String pattern) {
    assertThatThrownBy(() -> new TableSettings(null, List.of(pattern)))
        .hasMessageStartingWith("tables.deny must be ");
    assertThatThrownBy(() -> new TableSettings(Arrays.asList(pattern, null), null))
        .hasMessageStartingWith("tables.allow must be ");
  }
}
