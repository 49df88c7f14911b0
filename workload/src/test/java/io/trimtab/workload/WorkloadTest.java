package io.trimtab.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.workload.lengths.FieldLengths;
import io.trimtab.workload.lengths.ScanLengths;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
            "recordcount=10\noperationcount=77\nmaxexecutiontime=5\nwriteallfields=false\n"
                + "scanlengthdistribution=uniform\ninsertstart=8\nhbase.x=1\nmeasurementtype=raw\n"
                + "hotspotdatafraction=0.2\nreadallfields=true\ninsertcount=9\n"
                + "exponential.frac=0.5\nminfieldlength=1\n");
    var warnings = new ArrayList<String>();
    WorkloadSpec spec = YcsbProperties.read(file, warnings::add);
    assertThat(warnings)
        .containsExactly(
            file + ": key insertcount is not supported and ignored",
            file + ": key writeallfields is not supported and ignored");
    assertThat(spec.tenants().get(0).operations()).isEqualTo(77);
    assertThat(spec.duration()).isEqualTo(Duration.ofSeconds(5));
    Path bad = Files.writeString(folder.resolve("bad"), "operationcount=-1\n");
    assertThatThrownBy(() -> WorkloadSpec.read(bad))
        .isInstanceOf(UserError.class)
        .hasMessage(bad + ": operationcount: must be a whole number, not '-1'");
  }

  private static TenantSpec ycsb(Path folder, List<String> warnings, String... lines)
      throws Exception {
    Path file = Files.write(folder.resolve("w"), List.of(lines));
    return YcsbProperties.read(file, warnings::add).tenants().get(0);
  }

  @Test
  void ycsbKeysForLengthsKeysAndExponentialMeanWhatTheyDoThere(@TempDir Path folder)
      throws Exception {
    var warnings = new ArrayList<String>();
    TenantSpec tenant =
        ycsb(
            folder,
            warnings,
            "recordcount=10",
            "fieldlength=300",
            "minfieldlength=50",
            "fieldlengthdistribution=uniform",
            "minscanlength=5",
            "maxscanlength=9",
            "scanlengthdistribution=zipfian",
            "zeropadding=12",
            "insertorder=ordered",
            "requestdistribution=exponential",
            "exponential.percentile=80",
            "exponential.frac=0.25");
    assertThat(warnings).isEmpty();
    assertThat(tenant.fieldLengths())
        .isEqualTo(new FieldLengths(FieldLengths.Kind.UNIFORM, 50, null));
    assertThat(tenant.scanLengths()).isEqualTo(new ScanLengths(ScanLengths.Kind.ZIPFIAN, 5));
    assertThat(tenant.keyDigits()).isEqualTo(12);
    assertThat(tenant.keyOrder()).isEqualTo(TenantSpec.KeyOrder.ORDERED);
    assertThat(tenant.distribution().percentile()).isEqualTo(80);
    assertThat(tenant.distribution().fraction()).isEqualTo(0.25);
    TenantSpec stock = ycsb(folder, warnings, "recordcount=10");
    assertThat(stock.fieldLengths()).isEqualTo(FieldLengths.CONSTANT);
    assertThat(stock.scanLengths()).isEqualTo(ScanLengths.UNIFORM);
    assertThat(stock.keyDigits()).isEqualTo(19);
    assertThat(warnings).isEmpty();
  }

  /** YCSB's shortest value has one byte, which nothing could verify. */
  @Test
  void ycsbsShortestValuesAreLongerHereAndThatIsSaid(@TempDir Path folder) throws Exception {
    var warnings = new ArrayList<String>();
    TenantSpec tenant = ycsb(folder, warnings, "fieldlengthdistribution=zipfian");
    assertThat(tenant.fieldLengths())
        .isEqualTo(new FieldLengths(FieldLengths.Kind.ZIPFIAN, 24, null));
    assertThat(warnings)
        .containsExactly(
            folder.resolve("w")
                + ": minfieldlength: a verified value has at least 24 bytes, 24 is used, not 1");
  }

  @Test
  void ycsbsWordsThatDoNotExistAreRefused(@TempDir Path folder) {
    for (String line :
        List.of(
            "insertorder=orderd",
            "fieldlengthdistribution=zipf",
            "scanlengthdistribution=constant",
            "requestdistribution=normal")) {
      assertThatThrownBy(() -> ycsb(folder, new ArrayList<>(), line))
          .isInstanceOf(UserError.class)
          .hasMessageStartingWith(folder.resolve("w") + ": " + line.replaceFirst("=.*", ": "));
    }
  }

  @Test
  void scansAreAsLongAsTheirDistributionSays() throws Exception {
    for (String kind : List.of("uniform", "zipfian")) {
      MemoryTarget target = new MemoryTarget();
      String scans =
          ONE.replace("duration: 1s\n", "").formatted("scan: 1.0")
              + "    scanLength: 8\n    operations: 2000\n    scanLengths: {kind: %s, min: 5}\n";
      run(WorkloadSpec.parse("test.yaml", scans.formatted(kind)), target);
      assertThat(target.scans).containsExactlyInAnyOrder(5, 6, 7, 8);
    }
    TenantSpec uniform = spec("scan: 1.0").tenants().get(0);
    assertThat(uniform.bytesPerOperation()).isEqualTo(50.5 * 100);
    assertThatThrownBy(
            () ->
                WorkloadSpec.parse(
                    "w.yaml", ONE.formatted("read: 1.0") + "    scanLengths: {min: 101}\n"))
        .hasMessageContaining("scanLengths.min must be at most scanLength, 100, not 101");
  }

  @Test
  void exponentialRequestsGoToTheShareOfNewestRecordsThatItSays() throws Exception {
    MemoryTarget target = new MemoryTarget();
    String text = ONE.replace("duration: 1s\n", "").formatted("read: 1.0");
    String exponential =
        text.replaceFirst(
            "distribution: .*", "distribution: {kind: exponential, percentile: 80, fraction: 0.1}");
    WorkloadSpec spec = WorkloadSpec.parse("test.yaml", exponential + "    operations: 20000\n");
    target.counted = new Keys(spec.tenants().get(0)).key(900);
    run(spec, target);
    // 80 % and six standard errors.
    assertThat(target.readsFromCounted.sum() / 20000.0).isBetween(0.783, 0.817);
    assertThatThrownBy(
            () ->
                WorkloadSpec.parse(
                    "w.yaml", exponential.replace("percentile: 80", "percentile: 0")))
        .hasMessageContaining("distribution.percentile: must be in (0, 100), not 0");
    assertThatThrownBy(
            () -> WorkloadSpec.parse("w.yaml", exponential.replace("exponential", "uniform")))
        .hasMessageContaining("distribution.percentile: must be left out; it is for kind: exp");
  }

  @Test
  void keysHaveTheDigitsThatTheTenantSays() {
    String text = ONE.formatted("read: 1.0");
    Keys all = new Keys(WorkloadSpec.parse("w.yaml", text).tenants().get(0));
    assertThat(new String(all.key(7), UTF_8)).isEqualTo("user0000000000000000007");
    Keys four =
        new Keys(WorkloadSpec.parse("w.yaml", text + "    keyDigits: 4\n").tenants().get(0));
    assertThat(new String(four.key(7), UTF_8)).isEqualTo("user0007");
    assertThat(new String(four.key(12345), UTF_8)).isEqualTo("user12345");
    Keys more =
        new Keys(WorkloadSpec.parse("w.yaml", text + "    keyDigits: 21\n").tenants().get(0));
    assertThat(new String(more.key(7), UTF_8)).isEqualTo("user000000000000000000007");
    assertThatThrownBy(
            () -> WorkloadSpec.parse("w.yaml", text + "    keyDigits: 4\n    partitions: 2\n"))
        .hasMessageContaining("keyDigits: must be >= 19 with more than one partition, not 4");
  }

  private static final String THREE =
      """
      tenants:
        - {name: few, records: 100, mix: {read: 1.0}, threads: 3, operations: 101}
        - {name: more, records: 100, mix: {read: 1.0}, targetRate: 1000, operations: 307}
        - {name: free, records: 100, mix: {read: 1.0}, targetRate: 500}
      """;

  private static Map<String, Summary> runAll(String text) throws Exception {
    WorkloadSpec spec = WorkloadSpec.parse("test.yaml", text);
    MemoryTarget target = new MemoryTarget();
    Map<String, AcknowledgedWrites> ledgers = new Loader(spec, target).load((done, of) -> {});
    try (WorkloadRun run = WorkloadRun.start(spec, target, ledgers, samples -> {})) {
      run.await();
      assertThat(run.endedByCount()).extracting(TenantSpec::name).containsExactly("few", "more");
      return run.summaries().stream().collect(Collectors.toMap(Summary::tenant, s -> s));
    }
  }

  @Test
  void tenantsEndEachAfterItsCountAndOneWithoutWithTheLastOfThem() throws Exception {
    Map<String, Summary> ended = runAll(THREE);
    assertThat(ended.get("few").operations()).isEqualTo(101);
    assertThat(ended.get("more").operations()).isEqualTo(307);
    assertThat(ended.get("few").seconds()).isLessThan(ended.get("more").seconds());
    assertThat(ended.get("free").seconds()).isGreaterThanOrEqualTo(ended.get("more").seconds());
    assertThat(ended.get("free").operations()).isBetween(20L, 10_000L);
  }

  @Test
  void aTenantWithoutACountWorksForTheDuration() throws Exception {
    Map<String, Summary> ended = runAll("duration: 2s\n" + THREE);
    assertThat(ended.get("few").operations()).isEqualTo(101);
    assertThat(ended.get("more").operations()).isEqualTo(307);
    assertThat(ended.get("more").seconds()).isLessThan(2);
    assertThat(ended.get("free").seconds()).isGreaterThanOrEqualTo(2);
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
