package io.trimtab.clikit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.sources.MetricsConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of sources when there is no database to lay them over. */
class MetricsOptionTest {
  private final List<String> closed = new ArrayList<>();

  private final class Source implements MetricSource {
    private final String name;

    Source(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Map<NodeId, NodeReadings> read(Collection<NodeId> nodes) {
      return Map.of();
    }

    @Override
    public void close() {
      closed.add(name);
    }
  }

  /** How a connection fails. */
  private interface Failing {
    Engine connect() throws EngineException;
  }

  private Engine connect(Failing database) throws EngineException {
    ClusterHandle cluster =
        new ClusterHandle() {
          @Override
          public String label() {
            return "shop";
          }

          @Override
          public Engine connect() throws EngineException {
            return database.connect();
          }
        };
    return MetricsOption.connect(
        cluster, MetricsConfig.DEFAULTS, List.of(new Source("one"), new Source("two")));
  }

  @Test
  void sourcesAreClosedWhereTheDatabaseCantBeReached() {
    assertThatThrownBy(
            () ->
                connect(
                    () -> {
                      throw new EngineException("shop: no answer");
                    }))
        .isInstanceOf(EngineException.class)
        .hasMessage("shop: no answer");
    assertThat(closed).containsExactly("one", "two");
  }

  @Test
  void soTheyAreWhereASecretIsMissing() {
    assertThatThrownBy(
            () ->
                connect(
                    () -> {
                      throw new UserError("SHOP_PASSWORD is not set");
                    }))
        .isInstanceOf(UserError.class);
    assertThat(closed).containsExactly("one", "two");
  }
}
