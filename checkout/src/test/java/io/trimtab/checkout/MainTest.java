package io.trimtab.checkout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.trimtab.cli.Commands;
import io.trimtab.cli.Main;
import io.trimtab.cli.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class MainTest {
  /** Columns beside the longest name of a command. */
  private static final int FIRST_LINE_MAX = 86;

  /** Only looked at; making all of them takes a while. */
  private static final CommandLine ALL = Commands.all();

  @TempDir private Path home;

  @BeforeEach
  void ownHome() {
    System.setProperty("trimtab.home", home.toString());
  }

  @AfterEach
  void usersHome() {
    System.clearProperty("trimtab.home");
  }

  @Test
  void versionNamesWhatWasBuilt() {
    Run run = Run.of("--version");
    assertThat(run.code()).isZero();
    assertThat(run.out()).matches("(?s)trimtab \\d+\\.\\d+.*HBase \\d.*Hadoop \\d.*Java 17.*");
    assertThat(run.err()).isEmpty();
  }

  static List<String> everyCommand() {
    List<String> paths = new ArrayList<>();
    collect(ALL, "", paths);
    return paths;
  }

  private static void collect(CommandLine line, String path, List<String> paths) {
    paths.add(path);
    line.getSubcommands().forEach((name, sub) -> collect(sub, (path + " " + name).strip(), paths));
  }

  @ParameterizedTest
  @MethodSource("everyCommand")
  void everyCommandHasHelpWithExamples(String path) {
    Run run = Run.of((path + " --help").strip().split(" "));
    assertThat(run.code()).isZero();
    assertThat(run.out()).startsWith("Usage: trimtab " + path).contains("  trimtab ");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 100);
    assertThat(run.out()).doesNotContain("\033[");
  }

  /** picocli takes each line for a format, and complains on stderr where it is none. */
  @ParameterizedTest
  @MethodSource("everyCommand")
  void percentSignsOfHelpAreDoubled(String path) {
    var usage = of(path).getCommandSpec().usageMessage();
    for (String line : usage.description()) {
      assertThatCode(() -> String.format(line)).as(line).doesNotThrowAnyException();
    }
    for (String line : usage.footer()) {
      assertThatCode(() -> String.format(line)).as(line).doesNotThrowAnyException();
    }
  }

  private static CommandLine of(String path) {
    CommandLine line = ALL;
    for (String name : path.isEmpty() ? new String[0] : path.split(" ")) {
      line = line.getSubcommands().get(name);
    }
    return line;
  }

  /** Lists of commands show the first line of a description only. */
  @ParameterizedTest
  @MethodSource("everyCommand")
  void theFirstLineOfADescriptionIsASentenceThatFitsTheList(String path) {
    String first = of(path).getCommandSpec().usageMessage().description()[0];
    assertThat(first).endsWith(".").hasSizeLessThanOrEqualTo(FIRST_LINE_MAX);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lab status", "lab down", "stop", "why", "why --json"})
  void nothingToTellIsNoError(String typed) {
    Run run = Run.of(typed.split(" "));
    assertThat(run.code()).isZero();
    assertThat(run.out()).isNotBlank();
    assertThat(run.err()).isEmpty();
  }

  @Test
  void debugNamesTheLogInsteadOfPrintingTheStackTrace() {
    Run run = Run.of("config", "check", "no-such-file.yaml", "--debug");
    assertThat(run.code()).isEqualTo(Main.REFUSED);
    assertThat(run.err()).contains("the stack trace is in " + home);
    assertThat(run.err()).doesNotContain("\tat ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "lba",
        "lab",
        "lab up",
        "lab up oracle",
        "lab up hbase --node 3",
        "lab up hbase --nodes three",
        "lab up hbase --nodes 0",
        "lab up hbase --nodes",
        "lab up hbase --heap 300",
        "lab up hbase --heap 3m",
        "lab up hbase --name Bad_Name",
        "lab up hbase --config no-such-file.yaml",
        "lab status nosuch",
        "lab down nosuch",
        "--no-such-option",
        "plan",
        "plan --lab nosuch",
        "plan --lab a --zookeeper b",
        "plan --lab nosuch --period 10",
        "plan --lab nosuch --samples 1",
        "plan --lab nosuch --policy best",
        "plan --lab nosuch --config no-such-file.yaml",
        "run",
        "run --act --lab nosuch",
        "stop --wait 5",
        "stop --cluster nosuch",
        "why --cluster nosuch",
        "plan --cluster nosuch",
        "plan --connections no-such-file.yaml --lab nosuch",
        "connect",
        "plan --cluster nosuch --hbase-conf nosuch",
        "plan --cluster nosuch --cql-user ann",
        "plan --hbase-conf nosuch --kerberos-ticket-cache nosuch",
        "plan --cassandra nosuch --cql-user ann --cql-password hunter2",
        "plan --kerberos-keytab nosuch --zookeeper nosuch",
        "connect check",
        "connect check nosuch --zookeeper nosuch",
        "connect check --zookeeper nosuch --pages-https perhaps",
        "connect check nosuch",
        "connect check nosuch --connections no-such-file.yaml",
        "workload",
        "workload load",
        "workload load no-such-file.yaml --lab nosuch",
        "workload run no-such-file.yaml",
        "plugin",
        "sim",
        "sim replicas --ranking best",
        "plugin status mongodb",
        "plugin status cassandra --lab nosuch",
        "plugin set --lab nosuch",
        "plugin set --lab nosuch --hedge-share 2",
        "plugin set --lab nosuch --rack-penalty 0.5",
        "plugin install hbase --lab nosuch",
        "config",
        "config check no-such-file.yaml",
        "config check no-such-file.yaml --as poem",
      })
  void wrongInputIsOneLineAndCodeTwo(String typed) {
    refusedInOneLine(typed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lab disk",
        "lab disk up",
        "lab disk up no-such-folder",
        "lab disk up no-such-folder --size 1k",
        "lab disk up no-such-folder --size 1g --read 6",
        "lab disk down",
        "lab disk down no-such-folder",
      })
  void aDiskThatCannotBeMadeIsRefusedToo(String typed) {
    refusedInOneLine(typed);
    assertThat(Path.of("no-such-folder")).doesNotExist();
  }

  private static void refusedInOneLine(String typed) {
    Run run = Run.of(typed.isEmpty() ? new String[0] : typed.split(" "));
    assertThat(run.code()).isEqualTo(Main.REFUSED);
    assertThat(run.err().lines()).singleElement().asString().startsWith("trimtab: ");
    assertThat(run.err()).doesNotContain("Exception");
    assertThat(run.out()).isEmpty();
  }
}
