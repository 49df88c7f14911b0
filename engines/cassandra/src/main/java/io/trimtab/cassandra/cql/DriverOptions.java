package io.trimtab.cassandra.cql;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.OptionsMap;
import com.datastax.oss.driver.api.core.config.TypedDriverOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The driver's options: the controller's own, or an operator's file. */
public final class DriverOptions {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(15);

  /** Of all that a controller writes and reads: its lock relies on it. */
  private static final String CONSISTENCY = "QUORUM";

  private DriverOptions() {}

  /** For a small client that waits for seconds and not for minutes. */
  public static DriverConfigLoader own() {
    return DriverConfigLoader.programmaticBuilder()
        .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, CONNECT_LIMIT)
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, CONNECT_LIMIT)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, CONNECT_LIMIT)
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, REQUEST_LIMIT)
        .withString(DefaultDriverOption.REQUEST_CONSISTENCY, CONSISTENCY)
        .withString(
            DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy")
        .withString(DefaultDriverOption.RECONNECTION_POLICY_CLASS, "ConstantReconnectionPolicy")
        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofSeconds(1))
        .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
        .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
        .build();
  }

  /**
   * An operator's {@code application.conf} in full, but for two options that are the controller's:
   * the consistency of its own tables, and threads that do not keep a command from ending.
   *
   * @throws IOException if there is no such file
   */
  public static DriverConfigLoader of(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      // The driver would take a missing file for an empty one.
      throw new IOException(file + ": no such file, or it can't be read");
    }
    OptionsMap kept = new OptionsMap();
    kept.put(TypedDriverOption.REQUEST_CONSISTENCY, CONSISTENCY);
    kept.put(TypedDriverOption.NETTY_DAEMON, true);
    return DriverConfigLoader.compose(
        DriverConfigLoader.fromMap(kept), DriverConfigLoader.fromFile(file.toFile()));
  }
}
