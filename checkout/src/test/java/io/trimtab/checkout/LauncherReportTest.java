package io.trimtab.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.checkout.FakeCheckout.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What `./trimtab test` asks of Maven, and what it says of the reports. */
final class LauncherReportTest {
  private static final String UNIT = "core/m/target/surefire-reports";
  private static final String LIVE = "engines/hbase/target/failsafe-reports";

  /** Also what every run has on plain clusters only. */
  private static final String WHOLE_CONTRACT = " -Dlive.beside-others=beside-others ";

  @TempDir private Path folder;
  private FakeCheckout checkout;

  @BeforeEach
  void makeCheckout() throws IOException {
    checkout = new FakeCheckout(folder);
    checkout.installAll();
  }

  /** The head of a report as Surefire writes it. */
  private static String suite(String name, String seconds, int run, int errors, int failures) {
    return """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite version="3.0" name="%s" time="%s" tests="%d" errors="%d" skipped="1" \
        failures="%d">
          <properties><property name="tests" value="900"/></properties>
        """
        .formatted(name, seconds, run, errors, failures);
  }

  private static String test(String type, String name, String seconds) {
    return "  <testcase name=\"%s\" classname=\"%s\" time=\"%s\"".formatted(name, type, seconds);
  }

  private static String tests(String type, int from, int to) {
    StringBuilder all = new StringBuilder();
    for (int i = from; i <= to; i++) {
      all.append(test(type, "takes" + i, i + ".04")).append("/>\n");
    }
    return all.toString();
  }

  @Test
  void reportsOfAllModulesAreCountedInTheLastLine() throws Exception {
    checkout.report("m/target/surefire-reports", "A", suite("A", "1", 5, 0, 1) + "</testsuite>");
    checkout.report(UNIT, "B", suite("B", "1", 20, 0, 0) + "</testsuite>");
    checkout.report(LIVE, "C", suite("C", "1", 300, 2, 1) + "</testsuite>");
    assertThat(checkout.run("test").lastLine()).isEqualTo("318 passed, 4 failed, 3 skipped");
  }

  @Test
  void reportsOfEarlierRunsAreRemovedFirst() throws Exception {
    String old = suite("Old", "1", 90, 0, 0) + "</testsuite>";
    List<Path> reports =
        List.of(
            checkout.write("m/target/surefire-reports/TEST-Old.xml", old),
            checkout.write(UNIT + "/TEST-Old.xml", old),
            checkout.write(LIVE + "/TEST-Old.xml", old));
    checkout.report(UNIT, "New", suite("New", "1", 3, 1, 0) + "</testsuite>");
    Ran ran = checkout.run("test");
    assertThat(ran.lastLine()).isEqualTo("1 passed, 1 failed, 1 skipped");
    assertThat(reports).noneMatch(Files::exists);
  }

  /** A recorded report is a source, and is neither removed nor counted. */
  @Test
  void reportsInSourceFoldersStay() throws Exception {
    Path source =
        checkout.write(
            "core/m/src/test/resources/target/surefire-reports/TEST-Recorded.xml",
            suite("Recorded", "1", 90, 0, 0) + "</testsuite>");
    checkout.report(UNIT, "A", suite("A", "1", 5, 0, 0) + "</testsuite>");
    assertThat(checkout.run("test").lastLine()).isEqualTo("4 passed, 0 failed, 1 skipped");
    assertThat(source).exists();
  }

  @Test
  void withoutReportsNothingIsCounted() throws Exception {
    assertThat(checkout.run("test").lastLine()).isEqualTo("0 passed, 0 failed, 0 skipped");
  }

  @Test
  void slowAndFailedTestsAreNamedBeforeTheCount() throws Exception {
    for (int i = 1; i <= 11; i++) {
      checkout.report(UNIT, "T" + i, suite("T" + i, i + ".5", 1, 0, 0) + "</testsuite>");
    }
    checkout.report(
        LIVE,
        "Live",
        suite("io.LiveIT", "1,234.5", 13, 1, 1)
            + tests("io.LiveIT", 1, 11)
            + test("io.LiveIT", "moves", "20.0")
            + ">\n    <failure message=\"no\" type=\"E\"><![CDATA[at io.LiveIT]]></failure>\n"
            + "  </testcase>\n"
            + test("io.LiveIT", "splits &quot;a&quot;", "0.5")
            + "><error message=\"no\"/></testcase>\n</testsuite>\n");
    List<String> lines = checkout.run("test").out().lines().toList();
    int first = lines.indexOf("trimtab: the ten slowest test classes:");
    assertThat(first).isNotNegative();
    assertThat(lines.subList(first, first + 24))
        .containsExactly(
            "trimtab: the ten slowest test classes:",
            "   1234.5 s  io.LiveIT",
            "     11.5 s  T11",
            "     10.5 s  T10",
            "      9.5 s  T9",
            "      8.5 s  T8",
            "      7.5 s  T7",
            "      6.5 s  T6",
            "      5.5 s  T5",
            "      4.5 s  T4",
            "      3.5 s  T3",
            "trimtab: the ten slowest test methods:",
            "     20.0 s  io.LiveIT.moves",
            "     11.0 s  io.LiveIT.takes11",
            "     10.0 s  io.LiveIT.takes10",
            "      9.0 s  io.LiveIT.takes9",
            "      8.0 s  io.LiveIT.takes8",
            "      7.0 s  io.LiveIT.takes7",
            "      6.0 s  io.LiveIT.takes6",
            "      5.0 s  io.LiveIT.takes5",
            "      4.0 s  io.LiveIT.takes4",
            "      3.0 s  io.LiveIT.takes3",
            "trimtab: failed: io.LiveIT.moves",
            "trimtab: failed: io.LiveIT.splits \"a\"");
    assertThat(lines.subList(first + 24, lines.size()))
        .hasSize(2)
        .last()
        .isEqualTo("10 passed, 2 failed, 12 skipped");
  }

  @Test
  void whatATestPrintedIsNotAReport() throws Exception {
    checkout.report(
        UNIT,
        "A",
        suite("A", "1", 3, 0, 0)
            + test("A", "prints", "0.1")
            + ">\n    <system-out><![CDATA[\n"
            + suite("Printed", "9", 90, 90, 0)
            + test("Printed", "inside", "9")
            + "><failure/>\n]]></system-out>\n  </testcase>\n</testsuite>\n");
    Ran ran = checkout.run("test");
    assertThat(ran.lastLine()).isEqualTo("2 passed, 0 failed, 1 skipped");
    assertThat(ran.out()).doesNotContain("failed: ").doesNotContain("Printed");
  }

  @Test
  void optionsGoToMaven() throws Exception {
    checkout.run("test", "-Dgroups=fast");
    assertThat(checkout.calls("mvn"))
        .singleElement()
        .asString()
        .contains("verify -Dgroups=fast")
        .doesNotContain("skip");
  }

  @Test
  void unitStartsNoCluster() throws Exception {
    checkout.run("test", "--unit", "-Dgroups=fast");
    assertThat(checkout.calls("mvn"))
        .singleElement()
        .asString()
        .endsWith(" verify -DskipITs -Dgroups=fast");
  }

  @Test
  void theTestOnCassandra41NeedsAJava11() throws Exception {
    Path java11 = folder.resolve("java11");
    Map<String, String> environment = Map.of("TRIMTAB_JAVA11", java11.toString());
    for (Map<String, String> wrong : List.of(Map.<String, String>of(), environment)) {
      Ran refused = checkout.run(wrong, "test", "--engine", "cassandra@4.1");
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err()).contains("set TRIMTAB_JAVA11 to the home of a Java 11");
    }
    FakeCheckout.makeJdk(java11, "17.0.15");
    String[] test = {"test", "--engine", "cassandra@4.1"};
    assertThat(checkout.run(environment, test).code()).isEqualTo(2);
    assertThat(checkout.calls("mvn")).isEmpty();

    FakeCheckout.makeJdk(java11, "11.0.13");
    assertThat(checkout.run(environment, test).code()).isZero();
    assertThat(checkout.calls("mvn"))
        .singleElement()
        .asString()
        .contains(
            " verify -Pengine-cassandra -Dengine.version=4.1.10 -pl contract -am ",
            " -Dit.test=CassandraVersionIT,Cassandra41IT ");
  }

  /** The plug-in is not for it. */
  @Test
  void theTestOnCassandra40NeedsAJava11AndIsTheEnginesAlone() throws Exception {
    String[] test = {"test", "--engine", "cassandra@4.0"};
    assertThat(checkout.run(test).code()).isEqualTo(2);
    assertThat(checkout.calls("mvn")).isEmpty();

    Path java11 = folder.resolve("java11");
    FakeCheckout.makeJdk(java11, "11.0.13");
    Map<String, String> environment = Map.of("TRIMTAB_JAVA11", java11.toString());
    assertThat(checkout.run(environment, test).code()).isZero();
    assertThat(checkout.calls("mvn"))
        .singleElement()
        .asString()
        .contains(" -Pengine-cassandra -Dengine.version=4.0.19 ", " -Dit.test=CassandraVersionIT ");
  }

  @ParameterizedTest
  @CsvSource({
    "hbase@2.5, hbase, 2.5.13-hadoop3, HBaseVersionIT",
    "hbase@2.5.11, hbase, 2.5.11-hadoop3, HBaseVersionIT",
    "hbase@2.6.1-hadoop3, hbase, 2.6.1-hadoop3, HBaseVersionIT",
    "hbase@3.0.0-alpha-4, hbase, 3.0.0-alpha-4, HBaseVersionIT",
    "cassandra@5.0.8, cassandra, 5.0.8, CassandraVersionIT",
    "cassandra@6.0-alpha2, cassandra, 6.0-alpha2, CassandraVersionIT"
  })
  void anotherVersionOfADatabaseIsTestedByItsName(
      String engine, String profile, String release, String test) throws Exception {
    assertThat(checkout.run("test", "--engine", engine).code()).isZero();
    assertThat(checkout.calls("mvn"))
        .singleElement()
        .asString()
        .contains(" verify -Pengine-" + profile + " -Dengine.version=" + release + " -pl contract ")
        .contains(" -Dit.test=" + test + " ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "hbase", "hbase@", "riak@2.0", "cassandra@five", "hbase@2.5 -Dx=y"})
  void aVersionThatIsNoneIsRefusedBeforeAnythingIsBuilt(String engine) throws Exception {
    Ran refused = checkout.run("test", "--engine", engine);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .contains("--engine " + engine + ": must be hbase@VERSION or cassandra@VERSION");
    assertThat(checkout.calls("mvn")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "offheap", "mmap"})
  void bucketCachesAreTestedWhereverTheyAreKept(String engine) throws Exception {
    assertThat(checkout.run("test", "--bucket-cache", engine).code()).isZero();
    assertThat(checkout.calls("mvn"))
        .singleElement()
        .asString()
        .contains(" verify -pl contract -am ", " -Dit.test=HBaseBucketCacheIT ")
        .contains(" -Dtrimtab.bucket-cache=" + engine + " ", WHOLE_CONTRACT);
  }

  @Test
  void aSecureRingIsTestedByTheWholeContract() throws Exception {
    assertThat(checkout.run("test", "--secure").code()).isZero();
    assertThat(checkout.calls("mvn"))
        .singleElement()
        .asString()
        .contains(" verify -pl contract -am ", " -Dit.test=CassandraSecureIT,SecureLabIT ")
        .contains(WHOLE_CONTRACT)
        .endsWith(" -Dlive.alone=secure");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "heap", "off heap"})
  void aBucketCacheThatIsNoneIsRefusedBeforeAnythingIsBuilt(String engine) throws Exception {
    Ran refused = checkout.run("test", "--bucket-cache", engine);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .contains("--bucket-cache " + engine + ": must be file, offheap or mmap");
    assertThat(checkout.calls("mvn")).isEmpty();
  }

  @Test
  void theTestOnOpenStackNeedsTheFileThatNamesIt() throws Exception {
    Path file = folder.resolve("provider.yaml");
    Map<String, String> environment = Map.of("TRIMTAB_OPENSTACK", file.toString());
    for (Map<String, String> wrong : List.of(Map.<String, String>of(), environment)) {
      Ran refused = checkout.run(wrong, "test", "--openstack");
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err()).contains("set TRIMTAB_OPENSTACK to the file that providers/");
    }
    assertThat(checkout.calls("mvn")).isEmpty();

    Files.createFile(file);
    assertThat(checkout.run(environment, "test", "--openstack").code()).isZero();
    assertThat(checkout.calls("mvn"))
        .singleElement()
        .asString()
        .contains(" verify -pl providers -am ", " -Dit.test=OpenStackLiveIT ");
  }

  /** They are in two modules, each of which leaves them out otherwise. */
  @Test
  void theTestsOnRealSshdsAreBothAskedFor() throws Exception {
    assertThat(checkout.run("test", "--ssh").code()).isZero();
    assertThat(checkout.calls("mvn"))
        .singleElement()
        .asString()
        .contains(" verify -pl contract -am ", " -Dit.test=HostsLiveIT,HostsRingIT ")
        .contains(" -Dlive.excluded=none ")
        .endsWith(" -Dlive.alone=ssh");
  }

  @Test
  void theTestOfDisksInMemoryIsAskedFor() throws Exception {
    assertThat(checkout.run("test", "--disk").code()).isZero();
    assertThat(checkout.calls("mvn"))
        .singleElement()
        .asString()
        .contains(" verify -pl lab-live -am ", " -Dit.test=MemoryDiskIT ")
        .endsWith(" -Dlive.excluded=none");
  }

  /** They can't recover from a dead node with the Hadoop of the build. */
  @Test
  void olderReleasesOfHBaseGetTheirOwnHadoop() throws Exception {
    assertThat(checkout.run("test", "--engine", "hbase@2.5.5").code()).isZero();
    assertThat(checkout.run("test", "--engine", "hbase@2.5.6").code()).isZero();
    assertThat(checkout.calls("mvn")).hasSize(2);
    assertThat(checkout.calls("mvn").get(0))
        .contains(" -Pengine-hadoop -Dengine.hadoop=3.2.4 -Pengine-hbase ")
        .contains(" -Dengine.version=2.5.5-hadoop3 ");
    assertThat(checkout.calls("mvn").get(1)).doesNotContain("engine.hadoop");
  }

  /** Both need the machine to themselves. */
  @Test
  void whatPoliciesDecideAndSlowNodesAreAskedForTogether() throws Exception {
    assertThat(checkout.run("test", "--policies").code()).isZero();
    assertThat(checkout.calls("mvn"))
        .singleElement()
        .asString()
        .contains(" verify -pl contract -am ", " -Dit.test=*PoliciesIT,HBaseSlowPeersIT ")
        .endsWith(" -Dlive.alone=policies");
  }

  /** It is left out of the run of all tests, which has its like of Cassandra. */
  @Test
  void theTestOfAnHBaseFromNothingIsAskedForByItsName() throws Exception {
    assertThat(checkout.run("test", "--provision").code()).isZero();
    assertThat(checkout.calls("mvn"))
        .singleElement()
        .asString()
        .contains(" verify -pl contract -am ", " -Dit.test=HBaseProvisionIT ")
        .endsWith(" -Dlive.alone=provision");
  }

  /** Those with exporters in real nodes are in the module that has labs. */
  @Test
  void theTestsWithARealPrometheusAreAllAskedFor() throws Exception {
    assertThat(checkout.run("test", "--prometheus").code()).isZero();
    assertThat(checkout.calls("mvn"))
        .singleElement()
        .asString()
        .contains(" verify -Pexporters -pl sources,contract -am ")
        .contains(" -Dit.test=PrometheusLiveIT,*ExportersIT ", " -Dlive.excluded=none ")
        .endsWith(" -Dlive.alone=exporters");
  }

  @Test
  void testFailsWhenMavenFailsAndCountsAllTheSame() throws Exception {
    checkout.report(UNIT, "A", suite("A", "1", 5, 0, 2) + "</testsuite>");
    Ran ran = checkout.run(Map.of("MVN_EXIT", "1"), "test");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.lastLine()).isEqualTo("2 passed, 2 failed, 1 skipped");
  }
}
