package io.trimtab.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.architecture.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The launcher in a checkout of its own, with a JDK, a Maven and an apt-get that are scripts: they
 * write down how they were called, and do as little as the launcher needs.
 */
final class FakeCheckout {
  private static final List<String> TOOLS =
      List.of(
          "awk",
          "bash",
          "cat",
          "chmod",
          "cp",
          "cut",
          "date",
          "dirname",
          "env",
          "find",
          "flock",
          "git",
          "grep",
          "head",
          "id",
          "ls",
          "mkdir",
          "mktemp",
          "mv",
          "nproc",
          "paste",
          "readlink",
          "rm",
          "sed",
          "sleep",
          "sort",
          "tail",
          "tee",
          "touch");

  /**
   * Writes down its main class if it is not the program's, and the arguments, with bars between.
   */
  private static final String JAVA =
      """
      #!/usr/bin/env bash
      for a in "$@"; do [[ $a == -XX:ArchiveClassesAtExit=* ]] && exit 0; done
      while (($#)) && [[ $1 != *.Main ]]; do shift; done
      [[ ${1:-} != io.trimtab.cli.Main ]] || shift
      IFS='|'
      printf 'java %s\\n' "$*" >>"$CALLS"
      exit "${JAVA_EXIT:-0}"
      """;

  /** "Compiles" by copying: each module with a pom is on the class path, with sources or not. */
  private static final String MAVEN =
      """
      #!/usr/bin/env bash
      if [[ $1 == --version ]]; then echo "Apache Maven ${MVN_VERSION:-3.8.7}"; exit; fi
      printf 'mvn %s\\n' "$*" >>"$CALLS"
      sleep "${MVN_SLEEP:-0}"
      if [[ $* == *verify* && -d $SHELF/reports ]]; then cp -r "$SHELF/reports/." .; fi
      if [[ ${MVN_EXIT:-0} != 0 ]]; then echo "[ERROR] it broke"; exit "$MVN_EXIT"; fi
      path=""
      while IFS= read -r pom; do
        module=${pom%/pom.xml}
        module=${module#./}
        for from in "$module"/src/main/*/; do
          [[ -d $from ]] || continue
          mkdir -p "$module/target/classes"
          cp -r "$from." "$module/target/classes"
        done
        [[ $module == checkout ]] || path+=$PWD/$module/target/classes:
      done < <(find . -mindepth 2 -name pom.xml -not -path '*/src/*' | sort)
      mkdir -p checkout/target bench/target
      echo -n "$path/some/library.jar" >checkout/target/classpath
      echo -n /some/jmh.jar >bench/target/classpath
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

  /** What a launch ended with. */
  record Ran(int code, String out, String err) {
    String lastLine() {
      return out.lines().reduce("", (a, b) -> b);
    }
  }

  private final Path folder;
  private final Path repository;
  private final Path bin;
  private final Path shelf;

  /** In "folder", which must be empty: a checkout with one module `m`, and a PATH without Java. */
  FakeCheckout(Path folder) throws IOException {
    this.folder = folder;
    // Folder names that mean something inside a checkout must mean nothing above it.
    repository = Files.createDirectories(folder.resolve("src/target/repository"));
    bin = Files.createDirectory(folder.resolve("bin"));
    shelf = Files.createDirectory(folder.resolve("shelf"));
    Files.createDirectory(folder.resolve("jvms"));
    script("trimtab");
    script(".ci/run");
    write("pom.xml", "<project/>");
    write("checkout/pom.xml", "<project/>");
    write("cli/src/main/resources/io/trimtab/cli/version.properties", "version=1.2.3\n");
    write("cli/pom.xml", "<project/>");
    module("m");
    Files.writeString(calls(), "");
    for (String tool : TOOLS) {
      for (Path home : List.of(Path.of("/usr/bin"), Path.of("/bin"))) {
        if (Files.exists(home.resolve(tool)) && !Files.exists(bin.resolve(tool))) {
          // No link: writing a fake over one would write into the machine's own tool.
          script(bin.resolve(tool), "#!/bin/sh\nexec " + home.resolve(tool) + " \"$@\"\n");
        }
      }
    }
    makeJdk(shelf.resolve("jdk"), "17.0.15");
    script(shelf.resolve("mvn"), MAVEN);
  }

  /** Copies a script of the repository. */
  void script(String path) throws IOException {
    Files.createDirectories(repository.resolve(path).getParent());
    Files.copy(
        Sources.root().resolve(path), repository.resolve(path), StandardCopyOption.COPY_ATTRIBUTES);
  }

  /** Makes a module with a pom and one class `A`. */
  void module(String path) throws IOException {
    write(path + "/pom.xml", "<project/>");
    write(path + "/src/main/java/A.java", "class A {}");
  }

  /** Writes a file of the checkout, and the folders that it needs. */
  Path write(String path, String text) throws IOException {
    Path file = repository.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  /** A file or folder of the checkout. */
  Path file(String path) {
    return repository.resolve(path);
  }

  /** A file that is not in the checkout, beside it. */
  Path outside(String path) {
    return folder.resolve(path);
  }

  /** Has each `mvn verify` write this report, in this folder of the checkout. */
  void report(String reportFolder, String name, String xml) throws IOException {
    Path home = Files.createDirectories(shelf.resolve("reports").resolve(reportFolder));
    Files.writeString(home.resolve("TEST-" + name + ".xml"), xml);
  }

  /** Puts a JDK 17 and a Maven where the launcher looks for them. */
  void installAll() throws IOException {
    makeJdk(outside("jvms/jdk"), "17.0.15");
    script(bin.resolve("mvn"), MAVEN);
  }

  /** Makes the program print these lines. */
  void simulate(String... lines) throws IOException {
    String text = String.join("\n", lines);
    script(outside("jvms/jdk/bin/java"), "#!/bin/sh\ncat <<'END'\n" + text + "\nEND\n");
  }

  /** Makes the installed JDK pack jars with the `jar` of this JVM. */
  void installJar() throws IOException {
    Path jar = Path.of(System.getProperty("java.home"), "bin", "jar");
    script(outside("jvms/jdk/bin/jar"), "#!/usr/bin/env bash\nexec '" + jar + "' \"$@\"\n");
  }

  /** Puts an apt-get into PATH that "installs" all, used by the user with this id. */
  void installApt(int user) throws IOException {
    tool("apt-get", APT);
    tool("id", "#!/usr/bin/env bash\necho " + user + "\n");
  }

  /** Puts a script into PATH, instead of the machine's own if there is one. */
  void tool(String name, String text) throws IOException {
    script(bin.resolve(name), text);
  }

  /** Links a tool of PATH to a file. */
  void link(String tool, Path file) throws IOException {
    Files.createSymbolicLink(bin.resolve(tool), file);
  }

  /** Makes a JDK of scripts. */
  static void makeJdk(Path home, String version) throws IOException {
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/java"), JAVA);
    script(home.resolve("bin/javac"), JAVA);
    script(home.resolve("bin/jar"), JAR);
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Path calls() {
    return folder.resolve("calls");
  }

  /** How a program was called so far, in order, its name first. */
  List<String> calls(String program) throws IOException {
    return Files.readAllLines(calls()).stream().filter(c -> c.startsWith(program + " ")).toList();
  }

  /** The class path of the last build. */
  List<String> classpath() throws IOException {
    Path build = Path.of(Files.readString(file("checkout/target/launcher/current")).strip());
    List<String> lines = Files.readAllLines(build.resolve("classpath"));
    assertThat(lines).hasSize(2).startsWith("-cp");
    return List.of(lines.get(1).replace("\"", "").split(":"));
  }

  Ran run(String... args) throws Exception {
    return run(Map.of(), args);
  }

  Ran run(Map<String, String> environment, String... args) throws Exception {
    return runScript("trimtab", environment, args);
  }

  /** Runs a script of the checkout to its end. */
  Ran runScript(String script, Map<String, String> environment, String... args) throws Exception {
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    int code = start(script, environment, out, err, args).waitFor();
    return new Ran(code, Files.readString(out), Files.readString(err));
  }

  /** Starts the launcher without waiting for it. */
  Process start(Map<String, String> environment, String... args) throws IOException {
    Path output = Files.createTempFile(folder, "output", "");
    return start("trimtab", environment, output, output, args);
  }

  private Process start(
      String script, Map<String, String> environment, Path out, Path err, String... args)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(file(script).toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", bin.toString());
    builder.environment().put("BIN", bin.toString());
    builder.environment().put("SHELF", shelf.toString());
    builder.environment().put("CALLS", calls().toString());
    builder.environment().put("TRIMTAB_JVMS", outside("jvms").toString());
    builder.environment().putAll(environment);
    return builder
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectOutput(ProcessBuilder.Redirect.appendTo(out.toFile()))
        .redirectError(ProcessBuilder.Redirect.appendTo(err.toFile()))
        .start();
  }
}
