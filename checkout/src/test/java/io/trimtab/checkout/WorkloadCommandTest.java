package io.trimtab.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.Main;
import io.trimtab.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user sees of a YCSB file, as far as no cluster is needed for it. */
final class WorkloadCommandTest {
  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("workloadx"), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"load", "run"})
  void aKeyThatIsIgnoredIsNamedOnceOnStderr(String command) throws IOException {
    Path file = file("recordcont=5\nwriteallfields=false\nfieldlength=30\n");
    Run run = Run.of("workload", command, file.toString(), "--lab", "nosuch");
    assertThat(run.err().lines())
        .filteredOn(line -> line.contains(file.toString()))
        .containsExactly(
            "trimtab: " + file + ": key recordcont is not supported and ignored",
            "trimtab: " + file + ": key writeallfields is not supported and ignored");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void aCheckWarnsOfTheSameKeysAsARun() throws IOException {
    Path file = file("recordcont=5\nwriteallfields=false\nfieldlength=30\n");
    Run check = Run.of("config", "check", file.toString(), "--as", "workload");
    assertThat(check.code()).isZero();
    assertThat(check.err().lines())
        .containsExactly(
            "trimtab: " + file + ": key recordcont is not supported and ignored",
            "trimtab: " + file + ": key writeallfields is not supported and ignored");
    assertThat(check.out()).contains(file + ": valid");
  }

  /** Before the cluster is asked for anything, and not when hours of results are to be written. */
  @Test
  void aPlaceForResultsThatIsNoneIsToldBeforeTheRun() throws IOException {
    Path file = file("recordcount=5\n");
    Path taken = Files.writeString(folder.resolve("results"), "a file");
    Run run =
        Run.of("workload", "run", file.toString(), "--lab", "nosuch", "--out", taken.toString());
    assertThat(run.code()).isEqualTo(Main.REFUSED);
    assertThat(run.err().lines())
        .containsExactly("trimtab: " + taken + ": can't be written: it exists already");
  }

  @Test
  void anInsertOrderThatDoesNotExistIsRefused() throws IOException {
    Path file = file("recordcount=5\ninsertorder=orderd\n");
    Run run = Run.of("workload", "run", file.toString(), "--lab", "nosuch");
    assertThat(run.code()).isEqualTo(Main.REFUSED);
    assertThat(run.err().lines())
        .containsExactly(
            "trimtab: " + file + ": insertorder: must be ordered or hashed, not 'orderd'");
  }
}
