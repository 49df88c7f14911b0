package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.snapshot.Copies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyspacesTest {
  private static final Map<String, String> LOCAL =
      Map.of("class", "org.apache.cassandra.locator.LocalStrategy");

  private static Map<String, String> simple(String copies) {
    return Map.of(
        "class", "org.apache.cassandra.locator.SimpleStrategy", "replication_factor", copies);
  }

  private static Map<String, String> network(String... copies) {
    Map<String, String> all = new HashMap<>(Map.of("class", "NetworkTopologyStrategy"));
    for (int i = 0; i < copies.length; i += 2) {
      all.put(copies[i], copies[i + 1]);
    }
    return all;
  }

  /** Of a cluster with these users' keyspaces, besides the usual ones. */
  @SafeVarargs
  private static Keyspaces.Replication of(Map<String, String>... users) {
    Map<String, Map<String, String>> all = new HashMap<>();
    all.put("system", LOCAL);
    all.put("system_distributed", simple("3"));
    all.put(Keyspaces.CONTROL, simple("3"));
    for (int i = 0; i < users.length; i++) {
      all.put("users" + i, users[i]);
    }
    return Keyspaces.replication(all);
  }

  private static void assertCopies(Keyspaces.Replication read, int fewestNodes, int least) {
    assertThat(read.gaps()).isEmpty();
    assertThat(read.copies().fewestNodes()).isEqualTo(fewestNodes);
    assertThat(read.copies().least()).isEqualTo(least);
  }

  @Test
  void nodesAreNeededForTheMostCopiesAndTheFewestTellWhatADeadNodeLeaves() {
    assertCopies(of(simple("3"), simple("1")), 3, 1);
    assertCopies(of(network("a", "3"), simple("2")), 3, 2);
    // Transient replicas: the first number is all of them.
    assertCopies(of(network("a", "3/1")), 3, 3);
  }

  @Test
  void eachDataCentreNeedsTheMostCopiesOfAnyKeyspaceThere() {
    // Neither keyspace has more than 4 copies, but a needs 3 nodes and b needs 3.
    assertCopies(of(network("a", "3", "b", "1"), network("a", "1", "b", "3")), 6, 1);
    assertCopies(of(network("a", "2"), network("b", "3")), 5, 2);
    assertCopies(of(network("a", "2", "b", "0")), 2, 2);
    assertCopies(of(network("a", "2", "b", "2"), simple("5")), 5, 2);
  }

  @Test
  void copiesAreThoseOfUsersData() {
    assertCopies(of(simple("2")), 2, 2);
    assertCopies(of(), 1, 1);
  }

  /** Cassandra refuses to let one go where any keyspace but the controller's wants that many. */
  @Test
  void asManyNodesStayAsCassandrasOwnKeyspacesHaveCopies() {
    Copies users = of(simple("1")).copies();
    Map<String, Map<String, String>> own =
        Map.of("system_distributed", simple("3"), Keyspaces.CONTROL, simple("5"), "system", LOCAL);

    assertThat(Keyspaces.staying(users, own, 5).fewestNodes()).isEqualTo(3);
    assertThat(Keyspaces.staying(users, own, 3).fewestNodes()).isEqualTo(3);
    // They have never had three; a third that is dead may be removed.
    assertThat(Keyspaces.staying(users, own, 2).fewestNodes()).isEqualTo(2);
    assertThat(Keyspaces.staying(users, own, 5).least()).isEqualTo(1);
  }

  @Test
  void inEachDataCentreAsWell() {
    Copies users = of(network("a", "2", "b", "1")).copies();
    Copies staying =
        Keyspaces.staying(users, Map.of("system_auth", network("a", "3", "b", "1", "c", "2")), 9);

    assertThat(staying.fewestNodes("a")).isEqualTo(3);
    assertThat(staying.fewestNodes("b")).isEqualTo(1);
    assertThat(staying.byDataCentre().get("a").least()).isEqualTo(2);
  }

  /** As of a data centre for reports, to which an operator has copied the roles only. */
  @Test
  void inADataCentreWithoutUsersDataAsWell() {
    Map<String, Map<String, String>> own =
        Map.of("system_auth", network("a", "3", "b", "2"), "system_distributed", simple("3"));
    Copies staying = Keyspaces.staying(of(network("a", "3")).copies(), own, 9);
    assertThat(staying.fewestNodes("b")).isEqualTo(2);
    assertThat(staying.fewestNodes()).isEqualTo(3);
    assertThat(staying.least()).isEqualTo(3);
    assertThat(staying.byDataCentre()).containsOnlyKeys("a", "b");

    assertThat(Keyspaces.staying(of(simple("2")).copies(), own, 9).fewestNodes("a")).isEqualTo(3);
  }

  /** Their names only begin as those of Cassandra's own. */
  @Test
  void usersKeyspacesMayBeginWithSystem() {
    for (String name : List.of("systems", "system_orders", "dse_orders", "OpsCenter")) {
      assertThat(Keyspaces.isUsers(name)).as(name).isTrue();
      Keyspaces.Replication read =
          Keyspaces.replication(Map.of("users", simple("3"), name, simple("1")));
      assertCopies(read, 3, 1);
    }
    for (String own :
        List.of(
            "system",
            "system_auth",
            "system_cluster_metadata",
            "system_distributed",
            "system_schema",
            "system_traces",
            "system_views",
            "system_virtual_schema",
            Keyspaces.CONTROL)) {
      assertThat(Keyspaces.isUsers(own)).as(own).isFalse();
    }
  }

  /** Cassandra 6 lists the keyspace of its log of changes, which is no part of the ring. */
  @Test
  void clusterMetadataAreNeitherCountedNorCleanedUp() {
    Map<String, String> meta =
        Map.of("class", "org.apache.cassandra.locator.MetaStrategy", "dc1", "3");
    SortedMap<String, Map<String, String>> all =
        new TreeMap<>(
            Map.of("system", LOCAL, "system_cluster_metadata", meta, "users", network("dc1", "2")));
    assertCopies(Keyspaces.replication(all), 2, 2);
    assertThat(Keyspaces.spread(all)).containsExactly("users");
    assertThat(Keyspaces.unknown(List.of("system_cluster_metadata.log"), Map.of())).isEmpty();
  }

  @Test
  void aTableOfAnUnknownKeyspaceIsAGap() {
    assertThat(Keyspaces.unknown(List.of("k.t"), Map.of()))
        .containsExactly("keyspace k: its number of copies is not known");
    assertThat(Keyspaces.unknown(List.of("k.t", "k.u", "l.t"), Map.of("l", simple("1"))))
        .as("once")
        .hasSize(1);
    assertThat(Keyspaces.unknown(List.of("system_auth.roles"), Map.of())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "three", "-1", "3/", "12345"})
  void settingsThatCannotBeReadAreAGapAndNoNumber(String copies) {
    Keyspaces.Replication read = of(network("a", copies), simple("2"));
    assertThat(read.gaps())
        .singleElement()
        .asString()
        .startsWith("keyspace users0: its number of copies can't be read from {a=");
    assertThat(of(simple(copies)).gaps()).hasSize(1);
  }

  @Test
  void anUnknownStrategyIsAGap() {
    assertThat(of(Map.of("class", "EverywhereStrategy")).gaps()).hasSize(1);
    assertThat(of(Map.of("class", "SimpleStrategy")).gaps()).hasSize(1);
    assertThat(of(Map.of()).gaps()).hasSize(1);
    // A ring without users' keyspaces.
    assertThat(Keyspaces.replication(Map.of()).gaps()).isEmpty();
  }
}
