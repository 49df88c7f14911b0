package io.trimtab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadTest {
  private static final String ONE =
      """
      duration: 1s
      tenants:
        - name: t
          records: 1000
          fields: 1
          threads: 2
          mix: {%s}
          distribution: {kind: hotspot, hotKeys: 0.4, hotOperations: 0.5}
      """;

  private static WorkloadSpec spec(String mix) {
    return WorkloadSpec.parse("test.yaml", ONE.formatted(mix));
  }

  private static Summary run(WorkloadSpec spec, MemoryTarget target) throws Exception {
    Map<String, AcknowledgedWrites> ledgers = new Loader(spec, target).load((done, of) -> {});
    try (WorkloadRun run = WorkloadRun.start(spec, target, ledgers, samples -> {})) {
      run.await();
      assertThat(new Verifier(target).verify(spec, ledgers).right())
          .isEqualTo(!target.forgetsWrites);
      return run.summaries().get(0);
    }
  }

  @Test
  void allKindsOfOperationsSucceedOnAGoodTarget() throws Exception {
    Summary s =
        run(
            spec("read: 0.3, update: 0.3, insert: 0.1, scan: 0.1, readModifyWrite: 0.2"),
            new MemoryTarget());
    assertThat(s.operations()).isGreaterThan(100);
    assertThat(s.errors() + s.retries() + s.wrong() + s.lost()).isZero();
  }

  @Test
  void forgottenWritesAreFoundAsLost() throws Exception {
    MemoryTarget target = new MemoryTarget();
    target.forgetsWrites = true;
    assertThat(run(spec("read: 0.5, update: 0.5"), target).lost()).isPositive();
  }

  @Test
  void brokenContentIsFoundAsWrong() throws Exception {
    MemoryTarget target = new MemoryTarget();
    target.corrupts = true;
    assertThat(run(spec("read: 1.0"), target).wrong()).isPositive();
  }

  @Test
  void failuresAreTriedAgainAndCounted() throws Exception {
    MemoryTarget target = new MemoryTarget();
    target.failuresLeft.set(3);
    Summary s = run(spec("read: 1.0"), target);
    assertThat(s.retries()).isEqualTo(3);
    assertThat(s.retryReasons()).containsExactly(Map.entry("IOException", 3L));
    assertThat(s.errors()).isZero();
  }

  @Test
  void theOpenLoopCountsLatencyFromTheIntendedStart() throws Exception {
    MemoryTarget target = new MemoryTarget();
    target.delayMillis = 20;
    String open =
        ONE.formatted("read: 1.0").replace("threads: 2", "threads: 1")
            + "    targetRate: 200\n    loop: open\n";
    Summary s = run(WorkloadSpec.parse("test.yaml", open), target);
    // Operations come every 5 ms and take 20: the queue, and so the latency, must grow.
    assertThat(s.maxMicros()).isGreaterThan(100_000);
  }

  @Test
  void hotspotOnOrderedKeysGivesTheThesisShares() {
    TenantSpec tenant = spec("read: 1.0").tenants().get(0);
    var chooser =
        new site.ycsb.generator.HotspotIntegerGenerator(
            0,
            tenant.records() - 1,
            tenant.distribution().hotKeys(),
            tenant.distribution().hotOperations());
    int[] quarter = new int[4];
    for (int i = 0; i < 100_000; i++) {
      quarter[chooser.nextValue().intValue() * 4 / tenant.records()]++;
    }
    assertThat(quarter[0]).isBetween(30_000, 33_000);
    assertThat(quarter[1]).isBetween(25_500, 28_500);
    assertThat(quarter[2]).isBetween(19_500, 22_000);
  }

  @Test
  void contentTellsForeignBrokenAndOld() {
    byte[] value = Content.value(7, 1, 42, 100);
    assertThat(Content.version(value, 0, 100, 7, 1)).isEqualTo(42);
    assertThat(Content.version(value, 0, 100, 8, 1)).isEqualTo(Content.FOREIGN);
    assertThat(Content.version(value, 0, 100, 7, 0)).isEqualTo(Content.FOREIGN);
    value[50] ^= 1;
    assertThat(Content.version(value, 0, 100, 7, 1)).isEqualTo(Content.BROKEN);
  }

  @Test
  void badSpecsNameFileLineAndKey() {
    assertThatThrownBy(() -> WorkloadSpec.parse("w.yaml", ONE.formatted("read: 0.5")))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith("w.yaml:")
        .hasMessageContaining("must add up to 1");
    assertThatThrownBy(
            () -> WorkloadSpec.parse("w.yaml", ONE.formatted("read: 1.0") + "    treads: 3\n"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("did you mean threads?");
    assertThatThrownBy(
            () -> WorkloadSpec.parse("w.yaml", ONE.formatted("read: 1.0") + "    loop: open\n"))
        .hasMessageContaining("targetRate");
  }

  @Test
  void ycsbCorePropertiesAreTakenAsTheyAre(@TempDir Path folder) throws Exception {
    record Case(String name, String text, Mix mix, Distribution.Kind kind) {}
    for (Case c :
        List.of(
            new Case(
                "workloada",
                "readproportion=0.5\nupdateproportion=0.5\nrequestdistribution=zipfian\n",
                new Mix(0.5, 0.5, null, null, null),
                Distribution.Kind.SCRAMBLED),
            new Case(
                "workloadd",
                "readproportion=0.95\nupdateproportion=0\ninsertproportion=0.05\n"
                    + "requestdistribution=latest\n",
                new Mix(0.95, null, 0.05, null, null),
                Distribution.Kind.LATEST),
            new Case(
                "workloade",
                "readproportion=0\nupdateproportion=0\nscanproportion=0.95\n"
                    + "insertproportion=0.05\nmaxscanlength=100\nscanlengthdistribution=uniform\n"
                    + "requestdistribution=zipfian\n",
                new Mix(null, null, 0.05, 0.95, null),
                Distribution.Kind.SCRAMBLED))) {
      Path file =
          Files.writeString(
              folder.resolve(c.name()),
              "# a comment\nrecordcount=1000\noperationcount=1000\n"
                  + "workload=site.ycsb.workloads.CoreWorkload\nreadallfields=true\n"
                  + c.text());
      TenantSpec tenant = WorkloadSpec.read(file).tenants().get(0);
      assertThat(tenant.mix()).isEqualTo(c.mix());
      assertThat(tenant.distribution().kind()).isEqualTo(c.kind());
      assertThat(tenant.records()).isEqualTo(1000);
    }
    Path misspelt = Files.writeString(folder.resolve("bad"), "recordcont=5\n");
    var warnings = new ArrayList<String>();
    YcsbProperties.read(misspelt, warnings::add);
    assertThat(warnings)
        .containsExactly(misspelt + ": key recordcont is not supported and ignored");
  }

  @Test
  void ycsbKeysThatAreIgnoredAreNamedOnceAndThoseOfBindingsAreNot(@TempDir Path folder)
      throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("w"),
            "recordcount=10\noperationcount=77\nmaxexecutiontime=5\nfieldlengthdistribution=zipfian\n"
                + "scanlengthdistribution=uniform\nzeropadding=8\nhbase.x=1\nmeasurementtype=raw\n"
                + "hotspotdatafraction=0.2\nreadallfields=true\n");
    var warnings = new ArrayList<String>();
    WorkloadSpec spec = YcsbProperties.read(file, warnings::add);
    assertThat(warnings)
        .containsExactly(
            file + ": key fieldlengthdistribution is not supported and ignored",
            file + ": key zeropadding is not supported and ignored");
    assertThat(spec.tenants().get(0).operations()).isEqualTo(77);
    assertThat(spec.duration()).isEqualTo(Duration.ofSeconds(5));
    Path bad = Files.writeString(folder.resolve("bad"), "operationcount=-1\n");
    assertThatThrownBy(() -> WorkloadSpec.read(bad))
        .isInstanceOf(UserError.class)
        .hasMessage(bad + ": operationcount: must be a whole number, not '-1'");
  }

  @Test
  void aRunEndsByItselfAfterJustItsOperations() throws Exception {
    String counted =
        ONE.replace("duration: 1s\n", "").formatted("read: 0.5, update: 0.5")
            + "    operations: 501\n";
    WorkloadSpec spec = WorkloadSpec.parse("test.yaml", counted);
    assertThat(run(spec, new MemoryTarget()).operations()).isEqualTo(501);
  }

  @Test
  void theDurationEndsARunBeforeItsOperations() throws Exception {
    WorkloadSpec spec =
        WorkloadSpec.parse(
            "test.yaml", ONE.formatted("read: 1.0") + "    targetRate: 50\n    operations: 1000\n");
    assertThat(run(spec, new MemoryTarget()).operations()).isBetween(1L, 200L);
  }

  @Test
  void thePresetIsTheSixTenantsAndAnotherNameIsRefused() {
    WorkloadSpec e1 = WorkloadSpec.read(Path.of("preset:e1"));
    assertThat(e1.tenants())
        .extracting(TenantSpec::name)
        .containsExactly("a", "b", "c", "d", "e", "f");
    assertThat(e1.tenants()).extracting(TenantSpec::partitions).containsExactly(4, 4, 4, 1, 4, 4);
    assertThatThrownBy(() -> WorkloadSpec.read(Path.of("preset:e9")))
        .isInstanceOf(UserError.class)
        .hasMessage("preset:e9: no such preset; there are: e1");
  }
}
