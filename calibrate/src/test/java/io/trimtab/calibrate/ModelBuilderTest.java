package io.trimtab.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.Bytes;
import io.trimtab.workload.TenantSpec;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ModelBuilderTest {
  private static Callable<Void> counting(AtomicInteger count) {
    return () -> {
      count.incrementAndGet();
      return null;
    };
  }

  @Test
  void oneOrManyAreDone() throws Exception {
    AtomicInteger count = new AtomicInteger();
    ModelBuilder.parallel(List.of(counting(count)));
    assertThat(count).hasValue(1);
    ModelBuilder.parallel(List.of(counting(count), counting(count), counting(count)));
    assertThat(count).hasValue(4);
  }

  @Test
  void oneFailureInterruptsTheOthers() {
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    Callable<Void> waits =
        () -> {
          try {
            never.await(50, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            interrupted.set(true);
          }
          return null;
        };
    Callable<Void> fails =
        () -> {
          throw new IllegalStateException("the node is gone");
        };
    assertThatThrownBy(() -> ModelBuilder.parallel(List.of(waits, fails)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the node is gone");
    assertThat(interrupted).isTrue();
  }

  @Test
  void tablesOnALiveClusterHaveNamesOfTheirOwnAndFitItsCache() {
    ModelPlan plan = ModelPlan.quick();
    List<TenantSpec> own = ModelBuilder.tenants(new Bytes(64L << 20), 4, plan);

    List<TenantSpec> live = ModelBuilder.tenants("trimtab_model_1_", new Bytes(64L << 20), 4, plan);

    assertThat(live).extracting(TenantSpec::name).containsExactly("m", "b", "w");
    assertThat(live)
        .extracting(TenantSpec::table)
        .containsExactly("trimtab_model_1_m", "trimtab_model_1_b", "trimtab_model_1_w");
    assertThat(live).allMatch(tenant -> tenant.partitions() == 1);
    assertThat(live)
        .extracting(TenantSpec::records)
        .containsExactlyElementsOf(own.stream().map(TenantSpec::records).toList());
    // Of the largest table the cache holds the smallest hit ratio's share.
    assertThat(1_060.0 * live.get(0).records() * plan.smallest())
        .isBetween(0.97 * (64L << 20), 1.05 * (64L << 20));
  }

  @Test
  void onlyTablesThatAreMeasuredAreLoaded() {
    ModelPlan plan = ModelPlan.quick().withoutScans();

    // What is compacted is the second one.
    assertThat(ModelBuilder.tenants(new Bytes(64L << 20), 4, plan))
        .extracting(TenantSpec::name)
        .containsExactly("m", "b");
  }
}
