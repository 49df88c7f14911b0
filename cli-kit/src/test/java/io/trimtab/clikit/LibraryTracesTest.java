package io.trimtab.clikit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.example.PrintingLibrary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LibraryTracesTest {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @BeforeEach
  void install() {
    System.setProperty("trimtab.log", "/dev/null");
    // Here are no loggers, which SLF4J tells once.
    LoggerFactory.getLogger(LibraryTraces.class);
    System.setErr(LibraryTraces.over(new PrintStream(bytes, true, StandardCharsets.UTF_8)));
  }

  @AfterEach
  void restore() {
    System.setErr(before);
    System.clearProperty("trimtab.log");
  }

  private String printed() {
    System.err.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void whatALibraryPrintsOfWhatItCaughtDoesNotShow() {
    PrintingLibrary.fail("none of the user's business");

    assertThat(printed()).isEmpty();
  }

  @Test
  void beforeThereIsALogItShows() {
    System.clearProperty("trimtab.log");

    PrintingLibrary.fail("nowhere else");

    assertThat(printed()).contains("nowhere else", "PrintingLibrary", "below");
  }

  @Test
  void whatIsWrittenByAnybodyShows() {
    System.err.println("trimtab: größer");
    System.err.println((Object) "an object");

    assertThat(printed().lines()).containsExactly("trimtab: größer", "an object");
  }

  @Test
  void whatEndsAThreadShows() throws Exception {
    Thread thread =
        new Thread(
            () -> {
              throw new IllegalStateException("ended");
            });
    thread.start();
    thread.join();

    assertThat(printed()).contains("IllegalStateException: ended", "LibraryTracesTest");
  }

  @Test
  void whatWePrintShows() {
    new IllegalStateException("ours").printStackTrace();

    assertThat(printed()).contains("IllegalStateException: ours");
  }
}
