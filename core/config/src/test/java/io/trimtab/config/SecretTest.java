package io.trimtab.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretTest {
  private static final String PASSWORD = "hunter2: with a colon";

  @TempDir private Path folder;

  private Path file(String mode) throws IOException {
    Path file = folder.resolve("pw");
    Files.writeString(file, PASSWORD + "\nsecond line\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    return file;
  }

  /** What has a secret, as records of settings have. */
  record Holder(String user, Secret password) {}

  @ParameterizedTest
  @ValueSource(strings = {"rw-------", "r--------"})
  void theFirstLineOfAFileOfItsOwnerIsRead(String mode) throws IOException {
    Path file = file(mode);
    assertThat(Secret.parse("file:" + file).read()).isEqualTo(PASSWORD);
    assertThat(Secret.parse("file:pw").in(folder).read()).isEqualTo(PASSWORD);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw-rw-rw-"})
  void aFileThatOthersMayUseIsRefused(String mode) throws IOException {
    Secret secret = Secret.parse("file:" + file(mode));
    assertThatThrownBy(secret::read)
        .isInstanceOf(UserError.class)
        .message()
        .contains("others than its owner may use")
        .contains("chmod 600")
        .doesNotContain(PASSWORD);
  }

  @Test
  void aFileOrVariableThatIsMissingIsNamed() {
    assertThatThrownBy(() -> Secret.parse("file:none").in(folder).read())
        .isInstanceOf(UserError.class)
        .hasMessageContaining(folder.resolve("none") + ": no such file");
    assertThatThrownBy(() -> Secret.parse("env:TRIMTAB_NO_SUCH_VARIABLE").read())
        .isInstanceOf(UserError.class)
        .hasMessage("the environment variable TRIMTAB_NO_SUCH_VARIABLE is not set");
  }

  @Test
  void aVariableIsReadAsItIs() {
    assertThat(Secret.parse("env:PATH").read()).isEqualTo(System.getenv("PATH"));
  }

  @Test
  void theFirstLineOfACommandIsRead() throws IOException {
    Path file = file("rw-------");
    assertThat(Secret.parse("command:cat " + file).read()).isEqualTo(PASSWORD);
  }

  /** Its arguments and what it says may be the password. */
  @Test
  void aCommandThatFailsIsToldWithoutWhatItWasGivenOrSaid() {
    assertThatThrownBy(() -> Secret.parse("command:echo s3cret >&2; exit 3").read())
        .isInstanceOf(UserError.class)
        .hasMessage("the password's command echo fails with exit code 3");
    assertThatThrownBy(() -> Secret.parse("command:true s3cret").read())
        .isInstanceOf(UserError.class)
        .message()
        .doesNotContain("s3cret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"PGPASS=s3cret prog", "A=b PGPASS='s3 s3cret' prog", "\"s3cret\" x", "(s3cret)"})
  void whatComesBeforeACommandsProgramIsNotShown(String line) {
    assertThat(Secret.parse("command:" + line).where()).isEqualTo("the password's command");
  }

  /** More than a pipe takes. */
  @Test
  @Timeout(20)
  void ofACommandThatPrintsMuchTheFirstLineIsRead() {
    String line = "echo s3cret; head -c 300000 /dev/zero | tr '\\0' x";
    assertThat(Secret.parse("command:" + line).read()).isEqualTo("s3cret");
  }

  @Test
  @Timeout(60)
  void aCommandIsEndedWhenNobodyWaitsForItAnyMore() throws Exception {
    Path pid = folder.resolve("pid");
    Secret secret = Secret.parse("command:echo $$ > " + pid + "; exec sleep 1000");
    AtomicReference<String> told = new AtomicReference<>("");
    Thread waits =
        new Thread(
            () -> {
              try {
                told.set(secret.read());
              } catch (UserError e) {
                told.set(e.getMessage());
              }
            });
    waits.start();
    while (!Files.exists(pid) || !Files.readString(pid).endsWith("\n")) {
      Thread.sleep(10);
    }
    waits.interrupt();
    waits.join();

    assertThat(told).hasValue("interrupted");
    long child = Long.parseLong(Files.readString(pid).strip());
    ProcessHandle.of(child).ifPresent(left -> left.onExit().orTimeout(20, TimeUnit.SECONDS).join());
    assertThat(ProcessHandle.of(child).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void noTextFormShowsAnything() throws IOException {
    Secret secret = Secret.parse("command:echo s3cret");
    assertThat(secret.read()).isEqualTo("s3cret");
    assertThat(secret).hasToString("(secret)");
    assertThat(new Holder("ann", secret)).hasToString("Holder[user=ann, password=(secret)]");
    assertThat(secret.where()).doesNotContain("s3cret");
  }

  /** Somebody will write it there: neither the line nor a stack trace in the log repeats it. */
  @ParameterizedTest
  @ValueSource(strings = {"hunter2", "hun:ter2", "pass:hunter2", "\"env:\"", "\"file: \""})
  void aPasswordInTheFileIsRefusedAndNotRepeated(String written) {
    assertThatThrownBy(
            () -> StrictYaml.parse("c.yaml", "user: ann\npassword: " + written, Holder.class))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "c.yaml:2: password: must be env:NAME, file:PATH or command:LINE,"
                + " never the password itself")
        .satisfies(
            e -> {
              StringWriter trace = new StringWriter();
              e.printStackTrace(new PrintWriter(trace));
              assertThat(trace.toString()).doesNotContain("hunter2").doesNotContain("ter2");
            });
  }

  /** The parser would show the line at which it stopped. */
  @ParameterizedTest
  @ValueSource(strings = {"hunter2: x", "[hunter2", "\"hunter2"})
  void ofAFileThatIsNoYamlNoLineIsShown(String written) {
    assertThatThrownBy(
            () -> StrictYaml.parse("c.yaml", "user: ann\npassword: " + written, Holder.class))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith("c.yaml:")
        .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain("hunter2"));
  }
}
