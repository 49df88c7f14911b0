package io.trimtab.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenFileTest {
  @TempDir private Path folder;

  /** Neither the message nor the stack trace, which the log has with {@code --debug}. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3cret-and-long-enough",
        "tokens: s3cret-and-long-enough",
        "tokens: [s3cret-and-long-enough]",
        "tokens: {shop: [s3cret-and-long-enough]}",
        "tokens: {shop: s3cret-and-long-enough",
        "tokens: {shop: s3cret-and-long-enough: x}",
        "tokens: {shop: s3cret}",
        "tokens: {shop: s3cret-and-long-enough, logs: s3cret-and-long-enough}",
      })
  void whatIsWrongIsToldWithoutATokenOfTheFile(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("tokens.yaml"), text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

    assertThatThrownBy(() -> TokenFile.read("slo.tokens", file))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith(file.toString())
        .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain("s3cret"));
  }
}
