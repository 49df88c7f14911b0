package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.contract.OtherEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The script {@code trimtab} in a folder of its own, with a last build that is the class path of
 * this test, so that it has nothing to build.
 */
record ScriptCheckout(Path folder) {
  private static final long LIMIT_S = 900;

  /** In an empty folder. */
  static ScriptCheckout in(Path folder) throws IOException {
    Files.copy(
        repository().resolve("trimtab"),
        folder.resolve("trimtab"),
        StandardCopyOption.COPY_ATTRIBUTES);
    Path state = Files.createDirectories(folder.resolve("checkout/target/launcher"));
    Path build = Files.createDirectory(state.resolve("build-1-1"));
    Files.writeString(build.resolve("classpath"), "-cp\n\"" + OtherEngine.ownClassPath() + "\"\n");
    Files.writeString(state.resolve("current"), build + "\n");
    // Newer than the script: nothing has changed since the build.
    Files.writeString(state.resolve("stamp"), "");
    return new ScriptCheckout(folder);
  }

  /** The folder with this test's sources, documents and script. */
  static Path repository() {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("trimtab"))) {
      root = root.getParent();
    }
    return root;
  }

  /**
   * Runs a line of a shell in the folder, which must end well.
   *
   * @param home the user's {@code TRIMTAB_HOME}
   * @param variables of its environment
   * @return what it has printed
   */
  String run(String line, Path home, Map<String, String> variables)
      throws IOException, InterruptedException {
    Path said = Files.createTempFile(folder, "said-", ".out");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", line)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("TRIMTAB_HOME", home.toString());
    builder.environment().put("TRIMTAB_JAVA_OPTS", "-Dlogback.configurationFile=logback.xml");
    builder.environment().putAll(variables);
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      assertThat(process.waitFor(LIMIT_S, TimeUnit.SECONDS)).as("%s ends", line).isTrue();
      String text = Files.readString(said);
      assertThat(process.exitValue()).as("%s%n%s", line, text).isZero();
      return text;
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroyForcibly();
    }
  }
}
