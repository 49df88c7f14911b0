package io.trimtab.cassandraplugin;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.net.OutboundSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OfferedTest {
  /** Has all of this Cassandra but one type. */
  private static final class Without extends ClassLoader {
    private final String type;

    Without(Class<?> type) {
      super(OfferedTest.class.getClassLoader());
      this.type = type.getName();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals(type)) {
        throw new ClassNotFoundException(name);
      }
      return super.loadClass(name, resolve);
    }
  }

  /** As in Cassandra 4.1. */
  private static final class OlderStage {}

  @Test
  void theReadStageOfThisCassandraCanBeWrapped() {
    assertThat(Offered.HERE).isEqualTo(Offered.STAGE);
    assertThat(Offered.canBeWrapped(Stage.class)).isTrue();
    assertThat(Offered.canBeWrapped(OlderStage.class)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(classes = {ExecutorPlus.class, TokenMetadata.class, OutboundSink.class, Stage.class})
  void whereSomethingIsMissingThereIsNothingForARanking(Class<?> type) {
    assertThat(Offered.in(new Without(type))).isEqualTo(Offered.NOTHING);
  }
}
