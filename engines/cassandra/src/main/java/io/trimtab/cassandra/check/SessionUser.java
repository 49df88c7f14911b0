package io.trimtab.cassandra.check;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.host.ErrorLine;
import java.util.Optional;
import java.util.UUID;

/**
 * As whom a session is logged in.
 *
 * @param name empty if it is nobody, or not known
 * @param text for a person
 * @param instead told in place of permissions; empty if there is a name
 */
record SessionUser(Optional<String> name, String text, Optional<ConnectionStep> instead) {
  private static final String PERMISSIONS = "permissions";

  /** What nodes that ask for no user call everybody. */
  private static final String EVERYBODY = "anonymous";

  /** The driver's own providers of a user and a password end so. */
  private static final String PLAIN = "PlainTextAuthProvider";

  /** What clients have said when they connected is shown from 5.0 on. */
  private static final String CLIENTS = "SELECT username, client_options FROM system_views.clients";

  private static final String CLIENT_ID = "CLIENT_ID";

  static SessionUser named(String name) {
    return new SessionUser(Optional.of(name), "as " + name, Optional.empty());
  }

  private static SessionUser nobody() {
    return new SessionUser(
        Optional.empty(),
        "without a user",
        Optional.of(ConnectionStep.works(PERMISSIONS, "the cluster asks for no user")));
  }

  private static SessionUser unknown(ConnectionStep instead) {
    return new SessionUser(
        Optional.empty(), "as a user whose name is not known", Optional.of(instead));
  }

  /**
   * Where {@code connections.yaml} does not say it. The node that is asked knows it, whatever has
   * logged in: the driver's own file, or a certificate. Where it does not tell, the file may.
   *
   * @param id by which nodes know the session's connections
   */
  static SessionUser of(CqlSession session, UUID id) {
    DriverExecutionProfile options = session.getContext().getConfig().getDefaultProfile();
    try {
      return told(session, id).orElseGet(() -> inFile(options).orElseGet(() -> silent(options)));
    } catch (DriverException e) {
      return inFile(options).orElseGet(() -> unknown(refused(e)));
    }
  }

  private static Optional<SessionUser> told(CqlSession session, UUID id) {
    try {
      for (Row client : session.execute(CLIENTS)) {
        String its = client.getMap("client_options", String.class, String.class).get(CLIENT_ID);
        // Null of a connection that has yet to log in.
        String user = client.getString("username");
        if (id.toString().equals(its) && user != null) {
          return Optional.of(user.equals(EVERYBODY) ? nobody() : named(user));
        }
      }
    } catch (InvalidQueryException e) {
      // An older release, which has no such column.
    }
    return Optional.empty();
  }

  private static Optional<SessionUser> inFile(DriverExecutionProfile options) {
    return options.getString(DefaultDriverOption.AUTH_PROVIDER_CLASS, "").endsWith(PLAIN)
        ? Optional.ofNullable(options.getString(DefaultDriverOption.AUTH_PROVIDER_USER_NAME, null))
            .map(SessionUser::named)
        : Optional.empty();
  }

  private static SessionUser silent(DriverExecutionProfile options) {
    return options.isDefined(DefaultDriverOption.AUTH_PROVIDER_CLASS)
        ? unknown(
            ConnectionStep.works(
                PERMISSIONS, "not checked: neither the nodes nor the driver's file tell the user"))
        : nobody();
  }

  private static ConnectionStep refused(DriverException e) {
    return ConnectionStep.fails(
        PERMISSIONS,
        "whose they are is not known: " + ErrorLine.of(e),
        "GRANT SELECT ON KEYSPACE system_views TO the user who logs in, and check again");
  }
}
