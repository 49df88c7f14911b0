package io.trimtab.contract.secure;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code docs/connections.md} says of trying a secure cluster, as a new user would do it. Only
 * that of HBase needs a KDC.
 */
class SecureLabIT {
  @Test
  @Tag("kerberos")
  void threeCommandsLeadFromAnEmptyHomeToAPlanOfHBase(@TempDir Path folder)
      throws IOException, InterruptedException {
    DocumentedCommands.tryOut("hbase", folder);
  }

  @Test
  @Tag("secure")
  void threeCommandsLeadFromAnEmptyHomeToAPlanOfCassandra(@TempDir Path folder)
      throws IOException, InterruptedException {
    DocumentedCommands.tryOut("cassandra", folder);
  }
}
