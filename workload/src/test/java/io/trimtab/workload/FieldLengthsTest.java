package io.trimtab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.config.UserError;
import io.trimtab.workload.lengths.FieldLengths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.generator.HistogramGenerator;
import site.ycsb.generator.UniformLongGenerator;
import site.ycsb.generator.ZipfianGenerator;

/** Unequal values: of YCSB's distributions, repeatable, and verified. */
class FieldLengthsTest {
  private static final int DRAWS = 200_000;

  /**
   * The largest distance of two samples' distribution functions, at an error probability of 1e-9 of
   * the Kolmogorov-Smirnov test: YCSB's draws can't be seeded. The same shape gives about 0.003.
   */
  private static final double DISTANCE_MAX = 3.27 * Math.sqrt(2.0 / DRAWS);

  private static final String TENANT =
      """
      tenants:
        - name: t
          records: 1000
          fields: 2
          fieldLength: 500
          mix: {read: 1.0}
      """;

  @TempDir private Path folder;

  private static TenantSpec tenant(String more) {
    return WorkloadSpec.parse("t.yaml", TENANT + more.indent(4)).tenants().get(0);
  }

  /** Lengths of two fields of so many records' first versions, in order. */
  private static int[] lengths(TenantSpec tenant) {
    Values values = new Values(tenant);
    return sorted(
        IntStream.range(0, DRAWS)
            .map(i -> values.length(i / 2, i % 2, AcknowledgedWrites.LOADED))
            .toArray());
  }

  private static int[] sorted(int[] lengths) {
    Arrays.sort(lengths);
    return lengths;
  }

  private static void hasTheShapeOf(IntSupplier ycsb, TenantSpec tenant) {
    int[] theirs = sorted(IntStream.generate(ycsb).limit(DRAWS).toArray());
    int[] ours = lengths(tenant);
    assertThat(distance(ours, theirs)).isLessThan(DISTANCE_MAX);
    double mean = Arrays.stream(theirs).average().orElseThrow();
    double square = Arrays.stream(theirs).mapToDouble(x -> (x - mean) * (x - mean)).sum();
    double error = Math.sqrt(square / DRAWS / DRAWS);
    assertThat(new Values(tenant).meanLength()).isCloseTo(mean, within(6 * error));
    assertThat(Arrays.stream(ours).average().orElseThrow())
        .isCloseTo(new Values(tenant).meanLength(), within(6 * error));
    assertThat(ours[0]).isEqualTo(theirs[0]);
  }

  /** Of the distribution functions of two sorted samples of one size. */
  private static double distance(int[] a, int[] b) {
    double most = 0;
    for (int i = 0, j = 0; i < a.length && j < b.length; ) {
      int value = Math.min(a[i], b[j]);
      while (i < a.length && a[i] == value) {
        i++;
      }
      while (j < b.length && b[j] == value) {
        j++;
      }
      most = Math.max(most, Math.abs(i - j) / (double) a.length);
    }
    return most;
  }

  @Test
  void zipfianLengthsHaveTheShapeOfYcsbs() {
    var ycsb = new ZipfianGenerator(30, 500);
    TenantSpec tenant = tenant("fieldLengths: {kind: zipfian, min: 30}");
    hasTheShapeOf(() -> ycsb.nextValue().intValue(), tenant);
    int[] uniform = lengths(tenant("fieldLengths: {kind: uniform, min: 30}"));
    assertThat(distance(lengths(tenant), uniform)).isGreaterThan(20 * DISTANCE_MAX);
  }

  @Test
  void uniformLengthsHaveTheShapeOfYcsbs() {
    var ycsb = new UniformLongGenerator(30, 500);
    hasTheShapeOf(
        () -> ycsb.nextValue().intValue(), tenant("fieldLengths: {kind: uniform, min: 30}"));
  }

  @Test
  void histogramLengthsHaveTheShapeOfYcsbs() throws IOException {
    Path file = histogram("BlockSize\t50\n0\t70000\n1\t0\n2\t20000\n3\t9000\n4\t1000\n");
    var ycsb = new HistogramGenerator(file.toString());
    TenantSpec tenant = tenant(histogramOf(file));
    hasTheShapeOf(() -> ycsb.nextValue().intValue(), tenant);
    assertThat(Arrays.stream(lengths(tenant)).distinct()).containsExactly(50, 150, 200);
  }

  private Path histogram(String text) throws IOException {
    return Files.writeString(folder.resolve("hist.txt"), text);
  }

  private static String histogramOf(Path file) {
    return "fieldLengths: {kind: histogram, histogram: '" + file + "'}";
  }

  /** Tables outlive programs: what one version wrote, the next must be able to read. */
  @Test
  void contentAndLengthsAreThoseOfEveryVersion() {
    byte[] before = Content.value(7, 1, 42, 500);
    assertThat(Arrays.hashCode(before)).isEqualTo(1189578059);
    assertThat(new Values(tenant("")).version(before, 7, 1)).isEqualTo(42);
    Values zipfian = new Values(tenant("fieldLengths: {kind: zipfian}"));
    assertThat(IntStream.range(0, 8).map(i -> zipfian.length(i, 1, 3)).toArray())
        .containsExactly(278, 268, 33, 25, 24, 73, 59, 32);
  }

  @Test
  void aValueOfAnotherLengthThanItWasWrittenWithIsBroken() {
    Values values = new Values(tenant("fieldLengths: {kind: uniform}"));
    int length = values.length(7, 1, 42);
    assertThat(values.version(Content.value(7, 1, 42, length), 7, 1)).isEqualTo(42);
    assertThat(values.version(Content.value(7, 1, 42, length + 1), 7, 1)).isEqualTo(Content.BROKEN);
    assertThat(values.version(Content.value(7, 0, 42, length), 7, 1)).isEqualTo(Content.FOREIGN);
    assertThat(values.version(null, 7, 1)).isEqualTo(Content.BROKEN);
  }

  @Test
  void aTableOfOtherLengthsIsWrongForRunVerifierAndSurvey() throws Exception {
    MemoryTarget target = new MemoryTarget();
    WorkloadSpec written = WorkloadSpec.parse("t.yaml", "duration: 1s\n" + TENANT);
    Map<String, AcknowledgedWrites> ledgers = new Loader(written, target).load((done, of) -> {});
    assertThat(new Verifier(target).verify(written, ledgers).right()).isTrue();
    WorkloadSpec other =
        WorkloadSpec.parse(
            "t.yaml", "duration: 1s\n" + TENANT + "    fieldLengths: {kind: uniform}\n");
    assertThat(new Verifier(target).verify(other, ledgers).wrong()).isGreaterThan(900);
    assertThatThrownBy(() -> new Verifier(target).survey(other.tenants().get(0)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has another length");
    try (WorkloadRun run = WorkloadRun.start(other, target, ledgers, samples -> {})) {
      run.await();
      assertThat(run.summaries().get(0).wrong()).isPositive();
    }
  }

  @Test
  void unequalRecordsAreLoadedRunAndVerified() throws Exception {
    MemoryTarget target = new MemoryTarget();
    WorkloadSpec spec =
        WorkloadSpec.parse(
            "t.yaml",
            TENANT.replace("read: 1.0", "read: 0.4, update: 0.3, insert: 0.2, scan: 0.1")
                + "    operations: 5000\n    fieldLengths: {kind: zipfian}\n");
    Map<String, AcknowledgedWrites> ledgers = new Loader(spec, target).load((done, of) -> {});
    try (WorkloadRun run = WorkloadRun.start(spec, target, ledgers, samples -> {})) {
      run.await();
      Summary s = run.summaries().get(0);
      assertThat(s.operations()).isEqualTo(5000);
      assertThat(s.errors() + s.retries() + s.wrong() + s.lost()).isZero();
    }
    assertThat(new Verifier(target).verify(spec, ledgers).right()).isTrue();
    assertThat(new Verifier(target).survey(spec.tenants().get(0)).records()).isEqualTo(1000);
  }

  @Test
  void bytesPerOperationAreThoseOfTheMeanLength() {
    TenantSpec tenant = tenant("fieldLengths: {kind: uniform, min: 100}");
    assertThat(tenant.bytesPerOperation()).isEqualTo(2 * 300.0);
    assertThat(tenant("").bytesPerOperation()).isEqualTo(2 * 500.0);
  }

  @Test
  void theShortestValueHasRoomForWhatVerifiesIt() {
    assertThat(FieldLengths.SHORTEST).isEqualTo(Content.MIN_LENGTH);
  }

  @Test
  void badLengthsNameFileAndKey() throws IOException {
    refused("fieldLengths: {kind: uniform, min: 23}", "fieldLengths.min: must be >= 24, not 23");
    refused("fieldLengths: {kind: zipfian, min: 501}", "must be at most fieldLength, 500, not 501");
    refused("fieldLengths: {min: 30}", "fieldLengths.min: is for kind: uniform and zipfian only");
    refused("fieldLengths: {kind: histogram}", "fieldLengths.histogram is missing");
    refused(histogramOf(folder.resolve("none")), "none: no such file");
    refused(histogramOf(histogram("Block 7\n")), "hist.txt:1: must be BlockSize, a tab");
    refused(histogramOf(histogram("BlockSize\t50\n1\t3\n")), "hist.txt:2: must be 0, a tab");
    refused(histogramOf(histogram("BlockSize\t50\n0\t0\n")), "no bucket has a weight");
    refused(
        histogramOf(histogram("BlockSize\t20\n0\t1\n1\t1\n2\t0\n")),
        "lengths must be in [24, 1000000], not [20, 40]");
  }

  private static void refused(String more, String says) {
    assertThatThrownBy(() -> tenant(more))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith("t.yaml:")
        .hasMessageContaining(says);
  }
}
