package io.trimtab.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.checkout.FakeCheckout.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the launcher finds a JDK and Maven, and when it installs them. */
final class LauncherInstallTest {
  private static final int ROOT = 0;
  private static final int USER = 1000;

  @TempDir private Path folder;
  private FakeCheckout checkout;

  @BeforeEach
  void makeCheckout() throws IOException {
    checkout = new FakeCheckout(folder);
  }

  @Test
  void withoutJavaAndAptItNamesWhatIsMissing() throws Exception {
    Ran ran = checkout.run("--version");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("no JDK 17").contains("no Maven").contains("install a JDK 17");
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void anotherJavaIsNotTaken() throws Exception {
    checkout.installAll();
    Files.writeString(checkout.outside("jvms/jdk/release"), "JAVA_VERSION=\"21.0.1\"\n");
    assertThat(checkout.run("--version").err()).contains("no JDK 17");
  }

  @Test
  void jdk17IsFoundThoughThePathHasAnother() throws Exception {
    checkout.installAll();
    Path newer = checkout.outside("newer");
    FakeCheckout.makeJdk(newer, "25");
    checkout.link("javac", newer.resolve("bin/javac"));
    checkout.link("java", newer.resolve("bin/java"));
    Ran ran = checkout.run(Map.of("JAVA_HOME", newer.toString()), "--version");
    assertThat(ran.code()).as(ran.err()).isZero();
  }

  @Test
  void anOldMavenIsRefused() throws Exception {
    checkout.installAll();
    Ran ran = checkout.run(Map.of("MVN_VERSION", "3.6.3"), "--version");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("no Maven 3.8 or newer");
  }

  @Test
  void withoutATerminalItPrintsTheLineInsteadOfInstalling() throws Exception {
    checkout.installApt(ROOT);
    assertRefused(checkout.run("--version"));
  }

  /** What runs in CI need not be a machine that may be changed; the one who runs it says so. */
  @Test
  void ciAloneIsNoConsent() throws Exception {
    checkout.installApt(ROOT);
    assertRefused(checkout.run(Map.of("CI", "true"), "--version"));
  }

  private void assertRefused(Ran ran) throws IOException {
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err())
        .contains("run: apt-get install -y openjdk-17-jdk-headless maven")
        .contains("./trimtab --yes");
    assertThat(checkout.calls("apt-get")).isEmpty();
  }

  @Test
  void withYesItInstallsAndGoesOn() throws Exception {
    checkout.installApt(ROOT);
    Ran ran = checkout.run("--yes", "lab", "status");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(checkout.calls("apt-get"))
        .containsExactly(
            "apt-get update",
            "apt-get install -y --no-install-recommends openjdk-17-jdk-headless maven");
    assertThat(checkout.calls("java")).containsExactly("java lab|status");
  }

  @Test
  void withNoInstallItPrintsTheLineAndNothingElse() throws Exception {
    checkout.installApt(ROOT);
    // A refusal wins over a consent.
    Ran ran = checkout.run("--no-install", "--yes", "lab", "status");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err().lines().filter(line -> line.contains("run:")))
        .containsExactly("trimtab: run: apt-get install -y openjdk-17-jdk-headless maven");
    assertThat(ran.err()).endsWith("openjdk-17-jdk-headless maven\n");
    assertThat(checkout.calls("apt-get")).isEmpty();
    assertThat(checkout.calls("java")).isEmpty();
  }

  @Test
  void theLineIsOneThatTheUserCanRun() throws Exception {
    checkout.installApt(USER);
    assertThat(checkout.run("--no-install", "--version").err())
        .endsWith("trimtab: run as root: apt-get install -y openjdk-17-jdk-headless maven\n");

    checkout.tool("sudo", "#!/usr/bin/env bash\nexec \"$@\"\n");
    Ran ran = checkout.run("--no-install", "--version");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err())
        .endsWith("trimtab: run: sudo apt-get install -y openjdk-17-jdk-headless maven\n");
    assertThat(checkout.calls("apt-get")).isEmpty();
  }

  @Test
  void itsOptionsAreNotForTheProgram() throws Exception {
    checkout.installAll();
    assertThat(checkout.run("--no-install", "--no-color", "--yes", "lab", "status").code())
        .isZero();
    assertThat(checkout.calls("java")).containsExactly("java --no-color|lab|status");
  }

  /** {@code slo release} and {@code node sweep} have a {@code --yes} of their own. */
  @Test
  void whatComesAfterTheCommandIsForTheProgram() throws Exception {
    checkout.installAll();
    assertThat(checkout.run("slo", "release", "shop", "--act", "--yes").code()).isZero();
    assertThat(checkout.calls("java")).containsExactly("java slo|release|shop|--act|--yes");
  }

  /** Consent to what a command does is none to installing. */
  @Test
  void aCommandsYesInstallsNothing() throws Exception {
    checkout.installApt(ROOT);
    assertRefused(checkout.run("slo", "release", "shop", "--act", "--yes"));
  }

  @Test
  void whatCiRunsInstallsWithoutAQuestionAndTests() throws Exception {
    checkout.installApt(ROOT);
    Ran ran = checkout.runScript(".ci/run", Map.of());
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(checkout.calls("apt-get")).hasSize(2);
    assertThat(checkout.calls("mvn")).singleElement().asString().contains("verify");
  }

  @Test
  void aFailedInstallationShowsWhy() throws Exception {
    checkout.installApt(ROOT);
    checkout.tool("apt-get", "#!/usr/bin/env bash\necho 'E: no network'; exit 100\n");
    Ran ran = checkout.run("--yes", "--version");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("E: no network").contains("the full log is");
  }
}
