package io.trimtab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import java.io.StringWriter;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What the command prints and returns; broken promises are made up here. */
class FuzzCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int fuzz(LongFunction<Episode.Result> episodes, String... options) {
    Terminal terminal = new Terminal(out, err, false, false, false);
    CommandLine line = new CommandLine(new FuzzCommand(terminal, episodes));
    line.setErr(terminal.err());
    line.setExecutionExceptionHandler(
        (thrown, command, parsed) -> {
          throw thrown;
        });
    return line.execute(options);
  }

  private static Episode.Result kept(long seed) {
    return new Episode.Result(seed, List.of(), List.of("nothing happened"), new Coverage());
  }

  private static Episode.Result broken(long seed) {
    return new Episode.Result(seed, List.of("it broke"), List.of(), new Coverage());
  }

  @Test
  void withoutViolationsItReturnsZero() {
    assertThat(fuzz(FuzzCommandTest::kept, "--seeds", "3", "--seed", "5")).isZero();

    assertThat(out.toString().lines())
        .first()
        .asString()
        .contains("Java ", "first seed 5", "3 seeds", "no time limit");
    assertThat(out.toString().lines()).last().isEqualTo("3 seeds, 0 violations");
  }

  @Test
  void aViolationIsToldWithTheCommandThatReplaysIt() {
    LongFunction<Episode.Result> episodes = seed -> seed == 6 ? broken(seed) : kept(seed);

    assertThat(fuzz(episodes, "--seeds", "3", "--seed", "5")).isEqualTo(1);

    assertThat(out.toString().lines())
        .contains("seed 6:", "  it broke", "  replay: ./trimtab fuzz --seeds 1 --seed 6 --verbose");
    assertThat(out.toString().lines()).last().isEqualTo("3 seeds, 1 violations");
  }

  @Test
  void itEndsAtTheFirstViolationIfAsked() {
    assertThat(fuzz(FuzzCommandTest::broken, "--seeds", "3", "--first")).isEqualTo(1);

    assertThat(out.toString().lines()).last().isEqualTo("1 seeds, 1 violations");
  }

  @Test
  void wrongOptionsAreRefused() {
    assertThat(fuzz(FuzzCommandTest::kept, "--seeds", "many")).isEqualTo(2);
    assertThat(fuzz(FuzzCommandTest::kept, "--threads", "2")).isEqualTo(2);
    // The launcher makes a line and exit code 2 of it.
    assertThatThrownBy(() -> call("--seeds", "0")).isInstanceOf(UserError.class);
    assertThatThrownBy(() -> call("--minutes", "-1")).isInstanceOf(UserError.class);
  }

  private void call(String... options) {
    FuzzCommand command =
        new FuzzCommand(new Terminal(out, err, false, false, false), FuzzCommandTest::kept);
    new CommandLine(command).parseArgs(options);
    command.call();
  }
}
