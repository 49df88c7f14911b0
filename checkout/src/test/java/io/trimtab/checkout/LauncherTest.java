package io.trimtab.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.architecture.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher in a repository of its own, with a JDK, a Maven and an apt-get that are scripts:
 * they write down how they were called, and do as little as the launcher needs.
 */
final class LauncherTest {
  private static final List<String> TOOLS =
      List.of(
          "awk",
          "bash",
          "cat",
          "chmod",
          "cp",
          "date",
          "dirname",
          "env",
          "find",
          "flock",
          "grep",
          "head",
          "id",
          "ls",
          "mkdir",
          "mktemp",
          "mv",
          "readlink",
          "rm",
          "sed",
          "sleep",
          "sort",
          "tail",
          "tee",
          "touch");

  private static final String JAVA =
      """
      #!/usr/bin/env bash
      for a in "$@"; do [[ $a == -XX:ArchiveClassesAtExit=* ]] && exit 0; done
      printf 'java %s\\n' "${*: -2}" >>"$CALLS"
      exit "${JAVA_EXIT:-0}"
      """;

  private static final String MAVEN =
      """
      #!/usr/bin/env bash
      if [[ $1 == --version ]]; then echo "Apache Maven ${MVN_VERSION:-3.8.7}"; exit; fi
      printf 'mvn %s\\n' "$*" >>"$CALLS"
      sleep "${MVN_SLEEP:-0}"
      if [[ ${MVN_EXIT:-0} != 0 ]]; then echo "[ERROR] it broke"; exit "$MVN_EXIT"; fi
      if [[ $* == *verify* ]]; then
        mkdir -p m/target/surefire-reports m/target/failsafe-reports
        echo '<testsuite name="A" time="1" tests="5" errors="0" skipped="1" failures="1">' \\
          >m/target/surefire-reports/TEST-A.xml
        echo '<testsuite name="B" time="1" tests="2" errors="1" skipped="0" failures="0">' \\
          >m/target/failsafe-reports/TEST-B.xml
      fi
      mkdir -p m/target/classes cli/target/classes/io/trimtab/cli bench/target
      echo -n /some/jmh.jar >bench/target/classpath
      echo version=1 >cli/target/classes/io/trimtab/cli/version.properties
      echo -n "$PWD/m/target/classes:/some/library.jar" >cli/target/classpath
      echo "[INFO] Building Trimtab m 1.0    [1/1]"
      """;

  private static final String JAR =
      """
      #!/usr/bin/env bash
      touch "$4"
      """;

  private static final String APT =
      """
      #!/usr/bin/env bash
      printf 'apt-get %s\\n' "$*" >>"$CALLS"
      if [[ $1 == install && ${APT_EXIT:-0} == 0 ]]; then
        cp -r "$SHELF/jdk" "$TRIMTAB_JVMS/jdk"; cp "$SHELF/mvn" "$BIN/mvn"
      fi
      exit "${APT_EXIT:-0}"
      """;

  private record Ran(int code, String out, String err) {}

  @TempDir private Path folder;
  private Path repository;
  private Path bin;
  private Path shelf;
  private Path source;

  @BeforeEach
  void makeRepository() throws IOException {
    repository = Files.createDirectory(folder.resolve("repository"));
    bin = Files.createDirectory(folder.resolve("bin"));
    shelf = Files.createDirectory(folder.resolve("shelf"));
    Files.createDirectory(folder.resolve("jvms"));
    Files.copy(
        Sources.root().resolve("trimtab"),
        repository.resolve("trimtab"),
        StandardCopyOption.COPY_ATTRIBUTES);
    Files.createDirectories(repository.resolve("cli/src/main"));
    source = Files.createDirectories(repository.resolve("m/src/main/java")).resolve("A.java");
    Files.writeString(source, "class A {}");
    Files.writeString(repository.resolve("pom.xml"), "<project/>");
    Files.writeString(calls(), "");
    for (String tool : TOOLS) {
      for (Path home : List.of(Path.of("/usr/bin"), Path.of("/bin"))) {
        if (Files.exists(home.resolve(tool)) && !Files.exists(bin.resolve(tool))) {
          Files.createSymbolicLink(bin.resolve(tool), home.resolve(tool));
        }
      }
    }
    makeJdk(shelf.resolve("jdk"), "17.0.15");
    script(shelf.resolve("mvn"), MAVEN);
  }

  private Path calls() {
    return folder.resolve("calls");
  }

  private List<String> calls(String program) throws IOException {
    return Files.readAllLines(calls()).stream().filter(c -> c.startsWith(program + " ")).toList();
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private static void makeJdk(Path home, String version) throws IOException {
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/java"), JAVA);
    script(home.resolve("bin/javac"), JAVA);
    script(home.resolve("bin/jar"), JAR);
  }

  private void installAll() throws IOException {
    makeJdk(folder.resolve("jvms/jdk"), "17.0.15");
    script(bin.resolve("mvn"), MAVEN);
  }

  private Process start(Map<String, String> environment, String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of(repository.resolve("trimtab").toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", bin.toString());
    builder.environment().put("BIN", bin.toString());
    builder.environment().put("SHELF", shelf.toString());
    builder.environment().put("CALLS", calls().toString());
    builder.environment().put("TRIMTAB_JVMS", folder.resolve("jvms").toString());
    builder.environment().putAll(environment);
    return builder
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectOutput(Files.createTempFile(folder, "out", "").toFile())
        .redirectError(Files.createTempFile(folder, "err", "").toFile())
        .start();
  }

  private Ran run(Map<String, String> environment, String... args) throws Exception {
    List<Path> before = list();
    Process process = start(environment, args);
    int code = process.waitFor();
    String out = "";
    String err = "";
    for (Path file : list()) {
      if (!before.contains(file)) {
        String name = file.getFileName().toString();
        out = name.startsWith("out") ? Files.readString(file) : out;
        err = name.startsWith("err") ? Files.readString(file) : err;
      }
    }
    return new Ran(code, out, err);
  }

  private List<Path> list() throws IOException {
    try (var files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void withoutJavaAndAptItNamesWhatIsMissing() throws Exception {
    Ran ran = run(Map.of(), "--version");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("no JDK 17").contains("no Maven").contains("install a JDK 17");
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void anotherJavaIsNotTaken() throws Exception {
    installAll();
    Files.writeString(folder.resolve("jvms/jdk/release"), "JAVA_VERSION=\"21.0.1\"\n");
    assertThat(run(Map.of(), "--version").err()).contains("no JDK 17");
  }

  @Test
  void jdk17IsFoundThoughThePathHasAnother() throws Exception {
    installAll();
    makeJdk(folder.resolve("newer"), "25");
    Files.createSymbolicLink(bin.resolve("javac"), folder.resolve("newer/bin/javac"));
    Files.createSymbolicLink(bin.resolve("java"), folder.resolve("newer/bin/java"));
    Ran ran = run(Map.of("JAVA_HOME", folder.resolve("newer").toString()), "--version");
    assertThat(ran.code()).as(ran.err()).isZero();
  }

  @Test
  void withoutATerminalItPrintsTheLineInsteadOfInstalling() throws Exception {
    script(bin.resolve("apt-get"), APT);
    Ran ran = run(Map.of(), "--version");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("apt-get install -y openjdk-17-jdk-headless maven");
    assertThat(calls("apt-get")).isEmpty();
  }

  @Test
  void withYesItInstallsAndGoesOn() throws Exception {
    script(bin.resolve("apt-get"), APT);
    script(bin.resolve("id"), "#!/usr/bin/env bash\necho 0\n");
    Ran ran = run(Map.of(), "--yes", "lab", "status");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(calls("apt-get"))
        .containsExactly(
            "apt-get update",
            "apt-get install -y --no-install-recommends openjdk-17-jdk-headless maven");
    assertThat(calls("java")).containsExactly("java lab status");
  }

  @Test
  void inCiAFailedInstallationShowsWhy() throws Exception {
    script(bin.resolve("apt-get"), "#!/usr/bin/env bash\necho 'E: no network'; exit 100\n");
    script(bin.resolve("id"), "#!/usr/bin/env bash\necho 0\n");
    Ran ran = run(Map.of("CI", "true"), "--version");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("E: no network").contains("the full log is");
  }

  @Test
  void anOldMavenIsRefused() throws Exception {
    installAll();
    Ran ran = run(Map.of("MVN_VERSION", "3.6.3"), "--version");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("no Maven 3.8 or newer");
  }

  @Test
  void itBuildsOnceAndAgainWhenSourcesChange() throws Exception {
    installAll();
    run(Map.of(), "a");
    run(Map.of(), "b");
    assertThat(calls("mvn")).hasSize(1);
    assertThat(calls("java")).hasSize(2);

    Files.writeString(source, "class A { int changed; }");
    run(Map.of(), "c");
    assertThat(calls("mvn")).as("a changed file").hasSize(2);

    Files.delete(source);
    run(Map.of(), "d");
    assertThat(calls("mvn")).as("a removed file").hasSize(3);

    Files.createDirectories(repository.resolve("m/src/test"));
    Files.writeString(repository.resolve("m/src/test/ATest.java"), "class ATest {}");
    run(Map.of(), "e");
    assertThat(calls("mvn")).as("a new test").hasSize(3);
  }

  @Test
  void theBuildBeforeTheLastStaysForRunningLabs() throws Exception {
    installAll();
    for (int i = 0; i < 4; i++) {
      Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
      assertThat(run(Map.of(), "a").code()).isZero();
    }
    try (var builds = Files.list(repository.resolve("checkout/target/launcher"))) {
      assertThat(builds.filter(Files::isDirectory)).hasSize(2);
    }
  }

  @Test
  void aFailedBuildShowsTheErrorAndIsTriedAgain() throws Exception {
    installAll();
    Ran ran = run(Map.of("MVN_EXIT", "1"), "a");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("[ERROR] it broke").contains("the full log is");
    assertThat(run(Map.of(), "a").code()).isZero();
    assertThat(calls("mvn")).hasSize(2);
  }

  @Test
  void twoLaunchesAtOnceBuildOnce() throws Exception {
    installAll();
    Process first = start(Map.of("MVN_SLEEP", "1"), "a");
    Process second = start(Map.of("MVN_SLEEP", "1"), "b");
    assertThat(first.waitFor()).isZero();
    assertThat(second.waitFor()).isZero();
    assertThat(calls("mvn")).hasSize(1);
    assertThat(calls("java")).hasSize(2);
  }

  @Test
  void theProgramsExitCodeAndArgumentsPassThrough() throws Exception {
    installAll();
    Ran ran = run(Map.of("JAVA_EXIT", "2"), "plan", "--lab", "two words");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(calls("java")).containsExactly("java --lab two words");
  }

  @Test
  void testCountsTheReportsOfThisRunOnly() throws Exception {
    installAll();
    Path old = Files.createDirectories(repository.resolve("m/target/surefire-reports"));
    Files.writeString(
        old.resolve("TEST-Old.xml"),
        "<testsuite name=\"Old\" tests=\"90\" errors=\"0\" skipped=\"0\" failures=\"0\">",
        StandardOpenOption.CREATE);
    Ran ran = run(Map.of(), "test", "-Dgroups=fast");
    assertThat(ran.out().lines().reduce("", (a, b) -> b))
        .isEqualTo("4 passed, 2 failed, 1 skipped");
    assertThat(calls("mvn"))
        .singleElement()
        .asString()
        .contains("verify -Dgroups=fast")
        .doesNotContain("skip");
  }

  @Test
  void testFailsWhenMavenFails() throws Exception {
    installAll();
    assertThat(run(Map.of("MVN_EXIT", "1"), "test").code()).isEqualTo(1);
  }

  @Test
  void benchBuildsAndHandsItsArgumentsToJmh() throws Exception {
    installAll();
    assertThat(run(Map.of("JAVA_EXIT", "3"), "bench", "Plan").code()).isEqualTo(3);
    assertThat(calls("mvn")).singleElement().asString().contains("-pl bench -am compile");
    assertThat(calls("java")).containsExactly("java org.openjdk.jmh.Main Plan");
  }
}
