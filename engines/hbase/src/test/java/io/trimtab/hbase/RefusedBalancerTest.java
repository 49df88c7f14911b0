package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.host.GivenLock;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.security.SecurityCapability;
import org.junit.jupiter.api.Test;

/** A master answers as if it had switched its balancer, and only logs that the user may not. */
class RefusedBalancerTest {
  private final AtomicInteger switched = new AtomicInteger();

  /** From which try on the balancer is off. */
  private int offFrom = Integer.MAX_VALUE;

  private boolean mayChange;

  private final Admin asking =
      FakeAdmin.of(
          Admin.class,
          (proxy, called, a) ->
              switch (called.getName()) {
                case "isBalancerEnabled" -> switched.get() < offFrom;
                case "isNormalizerEnabled" -> false;
                case "getSecurityCapabilities" -> List.of(SecurityCapability.AUTHORIZATION);
                case "hasUserPermissions" -> List.of(mayChange);
                default -> throw new AssertionError(called.getName());
              });

  private final Admin changing =
      FakeAdmin.of(
          Admin.class,
          (proxy, called, a) -> {
            if (!called.getName().equals("balancerSwitch")) {
              throw new AssertionError(called.getName());
            }
            switched.incrementAndGet();
            return true;
          });

  private final Connection connection = FakeAdmin.unused(Connection.class);

  private final HBaseEngine engine =
      FakeAdmin.engine(connection, asking, changing, new GivenLock());

  /** And not tried until the time limit. */
  @Test
  void whoMayNotSwitchTheBalancerIsToldAtOnce() {
    assertThatThrownBy(() -> engine.setBalancer(BalancerState.PAUSED))
        .isInstanceOf(EngineException.class)
        .message()
        .contains("switching balancer and normalizer")
        .contains("Insufficient permissions (global, action=ADMIN)")
        .doesNotContain("\n");
    assertThat(switched).hasValue(1);
  }

  /** Somebody else may have switched it on again meanwhile. */
  @Test
  void whoMayTriesAgain() throws EngineException {
    mayChange = true;
    offFrom = 2;

    engine.setBalancer(BalancerState.PAUSED);

    assertThat(switched).hasValue(2);
  }
}
