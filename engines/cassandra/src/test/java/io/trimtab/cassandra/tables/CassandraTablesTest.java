package io.trimtab.cassandra.tables;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CassandraTablesTest {
  @Test
  void aTableHasAKeyspace() {
    assertThatCode(() -> CassandraTables.check("shop.orders")).doesNotThrowAnyException();
  }

  @Test
  void aUsersKeyspaceMayBeginWithSystem() {
    assertThatCode(() -> CassandraTables.check("system_orders.t")).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"orders", "shop.", ".orders", "a.b.c", "Shop.orders", "shop.or\"ders", "1.o"})
  void aNameThatNeedsQuotesIsRefused(String name) {
    assertThatThrownBy(() -> CassandraTables.check(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be keyspace.table")
        .hasMessageContaining(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"system.local", "system_schema.tables", "trimtab_control.control"})
  void noTableIsMadeAmongCassandrasOwn(String name) {
    assertThatThrownBy(() -> CassandraTables.check(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one of Cassandra's own keyspaces");
  }
}
