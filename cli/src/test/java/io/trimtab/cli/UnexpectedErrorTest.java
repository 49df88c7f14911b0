package io.trimtab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.clikit.Terminal;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class UnexpectedErrorTest {
  @TempDir private Path home;

  @Command(name = "fail")
  private static final class Failing implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new NoClassDefFoundError("org/example/Missing");
    }
  }

  @AfterEach
  void usersHome() {
    System.clearProperty("trimtab.home");
  }

  /** Client libraries' threads would keep the process alive, and nobody would start another. */
  @Test
  void whatIsNoExceptionEndsTheCommandToo() {
    System.setProperty("trimtab.home", home.toString());
    StringWriter err = new StringWriter();
    Main main = new Main(new Terminal(new StringWriter(), err, false, false, true));
    CommandLine line = main.commandLine();
    line.addSubcommand(new Failing());

    assertThat(main.run(line, "fail")).isEqualTo(Main.UNEXPECTED);
    assertThat(err.toString().lines())
        .containsExactly(
            "trimtab: java.lang.NoClassDefFoundError: org/example/Missing; details in "
                + home.resolve("logs/trimtab.log"));
  }
}
