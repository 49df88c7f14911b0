package io.trimtab.experiments.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.experiments.placement.Placements;
import io.trimtab.experiments.placement.SixTenants;
import io.trimtab.lab.testbed.PartitionSlot;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.simulator.days.ClosedBed;
import io.trimtab.simulator.days.PhasedResult;
import io.trimtab.simulator.days.PhasedRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModelBedTest {
  private static final TestbedSettings SCALE = TestbedSettings.standard();

  private final ClosedBed bed = ModelBed.of(SCALE, 7);

  @Test
  void itsStartIsThatOfTheRunWithTheSameSeed() {
    List<PartitionSlot> slots = new ArrayList<>();
    for (ClosedBed.Tenant tenant : bed.tenants()) {
      for (int i = 0; i < tenant.placement().size(); i++) {
        slots.add(new PartitionSlot(tenant.table(), i));
      }
    }
    Map<PartitionSlot, Integer> placed = Placements.random(slots, SCALE.nodes(), 7);

    assertThat(bed.tenants()).extracting(ClosedBed.Tenant::table).isEqualTo(SixTenants.TENANTS);
    assertThat(slots).hasSize(21);
    for (ClosedBed.Tenant tenant : bed.tenants()) {
      for (int i = 0; i < tenant.placement().size(); i++) {
        assertThat(tenant.placement().get(i))
            .isEqualTo(placed.get(new PartitionSlot(tenant.table(), i)));
      }
    }
    assertThat(ModelBed.of(SCALE, 8).tenants()).isNotEqualTo(bed.tenants());
  }

  @Test
  void itsLoadsAreThoseOfRivals() {
    assertThat(bed.phases())
        .extracting(ClosedBed.Phase::time)
        .containsExactly(Rivals.BEFORE, Rivals.PLACED, Rivals.CHANGED, Rivals.CHANGED);
    assertThat(load(0, "c").clients()).isEqualTo(20);
    assertThat(load(0, "c").reads()).isEqualTo(1);
    assertThat(load(0, "d").mostPerSecond()).isEqualTo(100);
    assertThat(load(0, "e").scans()).isEqualTo(0.95);
    assertThat(load(0, "e").rowsPerScan()).isCloseTo(50.5, within(0.1));
    // A read-modify-write is a read and an update.
    assertThat(load(0, "f").reads()).isEqualTo(1);
    assertThat(load(0, "f").writes()).isEqualTo(0.5);
    assertThat(load(1, "c")).isEqualTo(load(0, "c"));
    assertThat(load(2, "c").clients()).isEqualTo(4);
    assertThat(load(2, "c").writes()).isEqualTo(1);
    assertThat(load(2, "f").lowestKeys()).isEqualTo(0.4);
    assertThat(load(3, "c")).isEqualTo(load(2, "c"));
    assertThat(load(3, "f").lowestKeys()).isEqualTo(0.6);
    assertThat(load(3, "f").theirRequests()).isEqualTo(0.2);
  }

  private ClosedBed.Load load(int phase, String table) {
    return bed.phases().get(phase).loads().get(table);
  }

  /** Of the same start E1 has measured 2,840 operations a second, of others up to 9,200. */
  @Test
  void withoutAPolicyItIsAboutAsFastAsTheRealOne() throws Exception {
    PhasedResult result = PhasedRun.run(bed, 7, Optional.empty(), Rivals.LEVEL);

    for (PhasedResult.Phase phase : result.phases()) {
      assertThat(phase.perSecond()).containsOnlyKeys(SixTenants.TENANTS);
      assertThat(phase.perSecond().get("d")).as(phase.title()).isBetween(10.0, 100.1);
      assertThat(phase.moves()).isZero();
    }
    Map<String, Double> before = result.phases().get(0).perSecond();
    Map<String, Double> placed = result.phases().get(1).perSecond();
    Map<String, Double> changed = result.phases().get(2).perSecond();
    assertThat(before.values().stream().mapToDouble(v -> v).sum()).isBetween(1_500.0, 12_000.0);
    assertThat(PhasedResult.level(placed))
        .isCloseTo(PhasedResult.level(before), within(0.3 * PhasedResult.level(before)));
    // Four clients who wait for the log of each update.
    assertThat(changed.get("c")).isBetween(100.0, 4 / 4.8e-3);
  }
}
