package io.trimtab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.clikit.Terminal;
import java.io.StringWriter;

/** What a command did, run in this JVM and without a terminal. */
public record Run(int code, String out, String err) {

  public static Run of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = new Main(new Terminal(out, err, false, false, true)).run(args);
    return new Run(code, out.toString(), err.toString());
  }

  /** The one line with which a command is refused. */
  public static String refused(String... args) {
    return of(args).refusal();
  }

  /** The one line with which it was refused. */
  public String refusal() {
    assertThat(code).as(out + err).isEqualTo(Main.REFUSED);
    assertThat(err.lines()).hasSize(1);
    return err;
  }
}
