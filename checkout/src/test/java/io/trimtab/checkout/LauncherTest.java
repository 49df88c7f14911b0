package io.trimtab.checkout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.checkout.FakeCheckout.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the launcher builds, what a build is, and what the program is started with. */
final class LauncherTest {
  private static final String NESTED_SOURCE = "core/m/src/main/java/A.java";

  @TempDir private Path folder;
  private FakeCheckout checkout;

  @BeforeEach
  void makeCheckout() throws IOException {
    checkout = new FakeCheckout(folder);
    checkout.installAll();
  }

  private int builds() throws IOException {
    return checkout.calls("mvn").size();
  }

  @Test
  void itBuildsOnceAndAgainWhenSourcesChange() throws Exception {
    checkout.run("a");
    checkout.run("b");
    assertThat(builds()).isEqualTo(1);
    assertThat(checkout.calls("java")).hasSize(2);

    Path source = checkout.write("m/src/main/java/A.java", "class A { int changed; }");
    checkout.run("c");
    assertThat(builds()).as("a changed file").isEqualTo(2);

    Files.delete(source);
    checkout.run("d");
    assertThat(builds()).as("a removed file").isEqualTo(3);

    checkout.write("m/src/test/ATest.java", "class ATest {}");
    checkout.run("e");
    assertThat(builds()).as("a new test").isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        NESTED_SOURCE,
        "core/m/src/main/resources/META-INF/services/S",
        "core/m/pom.xml",
        "core/pom.xml",
        "engines/hbase/src/main/java/B.java",
        "engines/hbase/pom.xml"
      })
  void aChangeInANestedModuleIsBuilt(String file) throws Exception {
    checkout.module("core/m");
    checkout.module("engines/hbase");
    checkout.write(file, "old");
    checkout.run("a");
    checkout.run("a");
    assertThat(builds()).isEqualTo(1);

    checkout.write(file, "new");
    checkout.run("a");
    assertThat(builds()).isEqualTo(2);
    checkout.run("a");
    assertThat(builds()).as("built already").isEqualTo(2);
  }

  @Test
  void theHelpOfTestNamesEachOfItsOptionsAndRunsNothing() throws Exception {
    List<String> options =
        Files.readAllLines(checkout.file("trimtab")).stream()
            .filter(line -> line.matches(" {6}--[a-z0-9-]+\\)"))
            .map(line -> line.strip().replace(")", ""))
            .toList();
    Ran help = checkout.run("test", "--unit", "--help");

    assertThat(options).contains("--takeovers", "--kerberos").hasSizeGreaterThan(10);
    assertThat(help.code()).as(help.err()).isZero();
    assertThat(help.out()).startsWith("Usage: trimtab test").contains("--unit").contains(options);
    assertThat(builds()).isZero();
  }

  @Test
  void aFileRemovedFromANestedModuleIsBuilt() throws Exception {
    checkout.module("core/m");
    checkout.run("a");
    Files.delete(checkout.file(NESTED_SOURCE));
    checkout.run("a");
    assertThat(builds()).isEqualTo(2);
  }

  /** None of these files is in a jar: tests, their data, and what a build wrote. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "core/m/src/test/java/ATest.java",
        "core/m/src/test/resources/project/pom.xml",
        "core/m/src/test/resources/project/src/main/java/A.java",
        "core/m/target/classes/META-INF/maven/pom.xml",
        ".git/worktrees/src/main/A.java",
        "core/README.md"
      })
  void whatIsNoSourceOfTheProgramIsNotBuilt(String file) throws Exception {
    checkout.module("core/m");
    checkout.write(file, "old");
    checkout.run("a");
    checkout.write(file, "new");
    checkout.write(file + ".added", "new");
    checkout.run("a");
    assertThat(builds()).isEqualTo(1);
  }

  /** A package may have the name of a folder that holds no sources elsewhere. */
  @Test
  void aPackageNamedTargetIsASource() throws Exception {
    checkout.module("core/m");
    String file = "core/m/src/main/java/target/B.java";
    checkout.write(file, "old");
    checkout.run("a");
    checkout.write(file, "new");
    checkout.run("a");
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void eachModuleWithSourcesHasItsJar() throws Exception {
    for (String module : List.of("core/m", "core/n", "engines/m")) {
      checkout.module(module);
    }
    checkout.write("engines/empty/pom.xml", "<project/>");
    checkout.run("a");
    List<String> path = checkout.classpath();
    assertThat(path).doesNotHaveDuplicates().endsWith("/some/library.jar");
    assertThat(path.subList(0, path.size() - 1))
        .as("one jar each of cli, core/m, core/n, engines/m and m; none of engines/empty")
        .hasSize(5)
        .allSatisfy(jar -> assertThat(Path.of(jar)).isRegularFile().hasExtension("jar"));
    assertThat(String.join(" ", path)).doesNotContain("empty");
  }

  @Test
  void jarsHaveTheirServicesAndTheVersion() throws Exception {
    checkout.installJar();
    checkout.module("core/m");
    checkout.module("engines/m");
    checkout.write("core/m/src/main/resources/META-INF/services/S", "core.S\n");
    checkout.write("engines/m/src/main/resources/META-INF/services/S", "engines.S\n");
    Ran ran = checkout.run("a");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(service("core/m")).isEqualTo("core.S\n");
    assertThat(service("engines/m")).isEqualTo("engines.S\n");
  }

  private String service(String module) throws IOException {
    String file =
        checkout.classpath().stream()
            .filter(entry -> entry.endsWith("/" + module + ".jar"))
            .findFirst()
            .orElseThrow();
    try (JarFile jar = new JarFile(file)) {
      assertThat(jar.getManifest().getMainAttributes().getValue("Implementation-Version"))
          .isEqualTo("1.2.3");
      return new String(
          jar.getInputStream(jar.getEntry("META-INF/services/S")).readAllBytes(), UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"stop", "why"})
  void stopAndWhyTakeTheLastBuildAsItIs(String command) throws Exception {
    checkout.run("a");
    assertThat(checkout.run(command).err()).as("sources are as built").isEmpty();

    checkout.write("m/src/main/java/A.java", "class A { int changed; }");
    Ran ran = checkout.run(command, "--lab");
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .isEqualTo(
            "trimtab: sources are newer than the last build, which `%s` uses as it is\n"
                .formatted(command));
    assertThat(builds()).isEqualTo(1);
    assertThat(checkout.calls("java")).last().isEqualTo("java " + command + "|--lab");
  }

  @ParameterizedTest
  @ValueSource(strings = {"stop", "why"})
  void stopAndWhyBuildWhenThereIsNoBuild(String command) throws Exception {
    Ran ran = checkout.run(command);
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(builds()).isEqualTo(1);
    assertThat(checkout.calls("java")).containsExactly("java " + command);
  }

  @Test
  void theBuildBeforeTheLastStaysForRunningLabs() throws Exception {
    Path source = checkout.file("m/src/main/java/A.java");
    for (int i = 0; i < 4; i++) {
      Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
      assertThat(checkout.run("a").code()).isZero();
    }
    try (var builds = Files.list(checkout.file("checkout/target/launcher"))) {
      assertThat(builds.filter(Files::isDirectory)).hasSize(2);
    }
  }

  @Test
  void aFailedBuildShowsTheErrorAndIsTriedAgain() throws Exception {
    Ran ran = checkout.run(Map.of("MVN_EXIT", "1"), "a");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("[ERROR] it broke").contains("the full log is");
    assertThat(checkout.run("a").code()).isZero();
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void twoLaunchesAtOnceBuildOnce() throws Exception {
    Process first = checkout.start(Map.of("MVN_SLEEP", "1"), "a");
    Process second = checkout.start(Map.of("MVN_SLEEP", "1"), "b");
    assertThat(first.waitFor()).isZero();
    assertThat(second.waitFor()).isZero();
    assertThat(builds()).isEqualTo(1);
    assertThat(checkout.calls("java")).hasSize(2);
  }

  @Test
  void theProgramsExitCodeAndArgumentsPassThrough() throws Exception {
    Ran ran = checkout.run(Map.of("JAVA_EXIT", "2"), "plan", "--lab", "two words");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(checkout.calls("java")).containsExactly("java plan|--lab|two words");
  }

  @Test
  void benchBuildsAndHandsItsArgumentsToJmh() throws Exception {
    assertThat(checkout.run(Map.of("JAVA_EXIT", "3"), "bench", "Plan").code()).isEqualTo(3);
    assertThat(checkout.calls("mvn")).singleElement().asString().contains("-pl bench -am compile");
    assertThat(checkout.calls("java")).containsExactly("java org.openjdk.jmh.Main|Plan");
  }
}
