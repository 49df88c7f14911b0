package io.trimtab.cassandra.cql;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
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

  /**
   * Where a node does not answer what may be asked twice, another one is asked, too: a lock is
   * relied on for eight seconds without an answer.
   */
  private static final String ASK_ANOTHER = "ConstantSpeculativeExecutionPolicy";

  private static final Duration ASK_ANOTHER_AFTER = Duration.ofSeconds(1);
  private static final int ASKED_MAX = 3;

  /** The driver's default. */
  private static final String ASK_NO_OTHER = "NoSpeculativeExecutionPolicy";

  /** The policy that asks nodes of the contact points' data centre. */
  private static final String INFERRING = "DcInferringLoadBalancingPolicy";

  /** The driver's default, which needs to be told the data centre. */
  private static final String TOLD = "DefaultLoadBalancingPolicy";

  private DriverOptions() {}

  /** For a small client that waits for seconds and not for minutes. */
  public static DriverConfigLoader own() {
    return DriverConfigLoader.programmaticBuilder()
        .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, CONNECT_LIMIT)
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, CONNECT_LIMIT)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, CONNECT_LIMIT)
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, REQUEST_LIMIT)
        .withString(DefaultDriverOption.REQUEST_CONSISTENCY, CONSISTENCY)
        .withString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, INFERRING)
        .withString(DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS, ASK_ANOTHER)
        .withDuration(DefaultDriverOption.SPECULATIVE_EXECUTION_DELAY, ASK_ANOTHER_AFTER)
        .withInt(DefaultDriverOption.SPECULATIVE_EXECUTION_MAX, ASKED_MAX)
        .withString(DefaultDriverOption.RECONNECTION_POLICY_CLASS, "ConstantReconnectionPolicy")
        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofSeconds(1))
        .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
        .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
        .build();
  }

  /**
   * An operator's {@code application.conf} in full, but for two options that are the controller's:
   * the consistency of its own tables, and threads that do not keep a command from ending. One that
   * names no data centre gets that of the contact points: the driver would refuse it. One that has
   * no second node asked where the first is silent gets the controller's own way to do so.
   *
   * @throws IOException if there is no such file, or it can't be read as one
   */
  public static DriverConfigLoader of(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      // The driver would take a missing file for an empty one.
      throw new IOException(file + ": no such file, or it can't be read");
    }
    OptionsMap kept = new OptionsMap();
    kept.put(TypedDriverOption.REQUEST_CONSISTENCY, CONSISTENCY);
    kept.put(TypedDriverOption.NETTY_DAEMON, true);
    DriverExecutionProfile options = options(file);
    if (!placed(options)) {
      kept.put(TypedDriverOption.LOAD_BALANCING_POLICY_CLASS, INFERRING);
    }
    if (options
        .getString(DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS)
        .equals(ASK_NO_OTHER)) {
      kept.put(TypedDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS, ASK_ANOTHER);
      kept.put(TypedDriverOption.SPECULATIVE_EXECUTION_DELAY, ASK_ANOTHER_AFTER);
      kept.put(TypedDriverOption.SPECULATIVE_EXECUTION_MAX, ASKED_MAX);
    }
    return DriverConfigLoader.compose(
        DriverConfigLoader.fromMap(kept), DriverConfigLoader.fromFile(file.toFile()));
  }

  /** Whether the file says which nodes are asked: by a data centre, or a policy of its own. */
  private static boolean placed(DriverExecutionProfile options) {
    return options.isDefined(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER)
        || !options.getString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS).equals(TOLD);
  }

  private static DriverExecutionProfile options(Path file) throws IOException {
    try {
      return DriverConfigLoader.fromFile(file.toFile()).getInitialConfig().getDefaultProfile();
    } catch (RuntimeException e) {
      // As the driver's own library tells of a file that it can't parse; it may quote a password.
      throw new IOException(file + ": can't be read as options of the driver (HOCON)", e);
    }
  }
}
