package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code docs/connections.md} says of trying a secure cluster, as a new user would do it. */
@Tag("kerberos")
class SecureLabIT {
  @ParameterizedTest
  @ValueSource(strings = {"hbase", "cassandra"})
  void threeCommandsLeadFromAnEmptyHomeToAPlan(String database, @TempDir Path folder)
      throws IOException, InterruptedException {
    assertThat(DocumentedCommands.tryOut(database, folder)).isNotBlank();
  }
}
