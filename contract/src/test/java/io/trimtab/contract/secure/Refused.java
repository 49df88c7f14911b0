package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.Main;
import io.trimtab.clikit.Terminal;
import java.io.StringWriter;
import java.util.List;

/** What a command of the product's has said, run in this process, that ended with exit code 2. */
public record Refused(String out, String err) {
  public static Refused command(List<String> words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        new Main(new Terminal(out, err, false, false, false)).run(words.toArray(String[]::new));
    assertThat(code).as("%s: %s%s", words, out, err).isEqualTo(Main.REFUSED);
    return new Refused(out.toString(), err.toString());
  }

  /** The one line in which it says what is wrong. */
  public String line() {
    assertThat(err.lines()).as("%s%s", out, err).hasSize(1);
    return err.strip();
  }

  /** The one step of a check that fails. */
  public String failed() {
    List<String> failed = out.lines().filter(line -> line.startsWith("FAILED")).toList();
    assertThat(failed).as("%s", out).hasSize(1);
    return failed.get(0);
  }
}
