package io.trimtab.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.NodeId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeNamesTest {
  private static final NodeId A = new NodeId("node1.a.example.org:16020");
  private static final NodeId B = new NodeId("node1.b.example.org:16020");
  private static final NodeId C = new NodeId("node2.a.example.org:16020");
  private static final NodeId D = new NodeId("node2.a.example.org:16021");
  private static final NodeId E = new NodeId("10.0.0.7:9042");

  private final NodeNames names =
      new NodeNames(List.of(A, B, C, D, E), Map.of("10.0.0.7", "worker7"));

  @Test
  void aHostIsKnownByItsNameWithAnyPort() {
    assertThat(names.of("node1.a.example.org:9100")).containsExactly(A);
    assertThat(names.of("Node1.B.example.org")).containsExactly(B);
  }

  @Test
  void aMachineIsThatOfAllItsNodesAndAProcessThatOfOne() {
    assertThat(names.of("node2.a.example.org:9100")).containsExactly(C, D);
    assertThat(names.of("node2.a.example.org:16021")).containsExactly(D);
  }

  @Test
  void aShortNameIsOnlyTakenWhereItMeansOneHost() {
    assertThat(names.of("node2")).containsExactly(C, D);
    assertThat(names.of("node1")).as("two hosts").isEmpty();
    assertThat(names.of("node2.elsewhere.org")).as("of another domain").isEmpty();
  }

  @Test
  void whatASourceCallsOtherwiseIsToldToIt() {
    assertThat(names.of("worker7:9100")).containsExactly(E);
    assertThat(names.of("10.0.0.7")).as("it is called otherwise").isEmpty();
    assertThat(names.of("10.0.0.8")).as("addresses have no short form").isEmpty();
  }

  @Test
  void hostsAreToldFromPorts() {
    assertThat(NodeNames.host("[fe80::1]:9100")).isEqualTo("fe80::1");
    assertThat(NodeNames.host("fe80::1")).isEqualTo("fe80::1");
    assertThat(NodeNames.host("a:1")).isEqualTo("a");
    assertThat(NodeNames.host("a")).isEqualTo("a");
  }
}
