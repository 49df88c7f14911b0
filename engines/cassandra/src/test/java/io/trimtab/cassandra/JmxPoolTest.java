package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether a user may act, by what nodes answer. */
class JmxPoolTest {
  private static final NodeId ONE = new NodeId("10.0.0.1:9042");
  private static final NodeId TWO = new NodeId("10.0.0.2:9042");
  private static final NodeId THREE = new NodeId("10.0.0.3:9042");

  private final List<NodeId> asked = new ArrayList<>();

  private static IOException refusal(NodeId node, String why) {
    return new IOException(
        "JMX at " + node + " refuses the user: " + why, new SecurityException(why));
  }

  private void require(JmxPool.Trial trial) throws EngineException {
    JmxPool.requireOperations(
        List.of(ONE, TWO, THREE),
        "ann",
        node -> {
          asked.add(node);
          trial.at(node);
        });
  }

  /** It may have started a moment ago, and not have read its users' rights yet. */
  @Test
  void aNodeThatRefusesDoesNotCountBesideOneThatDoesNot() throws EngineException {
    require(
        node -> {
          if (node.equals(ONE)) {
            throw refusal(node, "Access Denied");
          }
        });
    assertThat(asked).containsExactly(ONE, TWO);
  }

  @Test
  void whoMayOnlyReadIsToldWhatIsMissing() {
    assertThatThrownBy(
            () ->
                require(
                    node -> {
                      if (node.equals(ONE)) {
                        throw new IOException("JMX at " + node + " does not answer");
                      }
                      throw refusal(node, "Access denied! Invalid access level");
                    }))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "JMX at 10.0.0.2:9042 refuses the user: Access denied! Invalid access level; to act,"
                + " ann needs readwrite in the nodes' jmxremote.access, or EXECUTE and MODIFY on"
                + " ALL MBEANS");
    assertThatThrownBy(
            () ->
                require(
                    node -> {
                      throw refusal(node, "Authentication failed");
                    }))
        .hasMessage("JMX at 10.0.0.1:9042 refuses the user: Authentication failed");
  }

  @Test
  void nodesThatDoNotTellForbidNothing() throws EngineException {
    require(
        node -> {
          throw new IOException("JMX at " + node + " does not answer");
        });
    assertThat(asked).containsExactly(ONE, TWO, THREE);
  }
}
