package io.trimtab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.rolling.RollingFileAppender;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The logging of the product, as {@code logback.xml} sets it up. */
class PrivateLogFileTest {
  private final LoggerContext context = new LoggerContext();

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("trimtab.log");
    context.putProperty("trimtab.log", file.toString());
    context.setMDCAdapter(new LogbackMDCAdapter());
  }

  @AfterEach
  void end() {
    context.stop();
  }

  private RollingFileAppender<ILoggingEvent> start() throws Exception {
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    URL product = Path.of("src/main/resources/logback.xml").toUri().toURL();
    configurator.doConfigure(product);
    return (RollingFileAppender<ILoggingEvent>) context.getLogger("ROOT").getAppender("FILE");
  }

  private static String permissions(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void noOtherUserMayReadTheLogOrWhatItBecomes() throws Exception {
    RollingFileAppender<ILoggingEvent> appender = start();
    context.getLogger("io.trimtab").warn("one");
    appender.rollover();
    context.getLogger("io.trimtab").warn("two");
    appender.rollover();
    context.getLogger("io.trimtab").warn("three");

    try (var files = Files.list(folder)) {
      List<Path> written = files.toList();
      assertThat(written).hasSize(3);
      for (Path path : written) {
        assertThat(permissions(path)).as("%s", path).isEqualTo("rw-------");
      }
    }
    assertThat(file).content().contains("three").doesNotContain("two");
  }

  @Test
  void theLogOfAnEarlierVersionIsClosedToOthersAndContinued() throws Exception {
    Files.writeString(file, "before\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

    start();
    context.getLogger("io.trimtab").warn("after");

    assertThat(permissions(file)).isEqualTo("rw-------");
    assertThat(file).content().contains("before").contains("after");
  }
}
