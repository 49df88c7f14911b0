package io.trimtab.cassandra.check;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.ControlKeyspace;
import io.trimtab.cassandra.Keyspaces;
import io.trimtab.cassandra.versions.CassandraVersions;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.host.ErrorLine;
import io.trimtab.host.connect.Reach;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** Tries a Cassandra connection step by step, and changes nothing. */
public final class CassandraCheck {
  private static final String VIEWS = "system_views";
  private static final String SETTINGS = VIEWS + ".settings";
  private static final String PERMISSIONS = "permissions";

  /** On the controllers' own keyspace: made, adapted to the ring, written and read. */
  private static final List<String> ON_CONTROL = List.of("CREATE", "ALTER", "SELECT", "MODIFY");

  private final CassandraContact contact;
  private final Consumer<ConnectionStep> steps;
  private final Reach reach;

  /**
   * @param steps hears each step as it ends
   */
  public CassandraCheck(CassandraContact contact, Consumer<ConnectionStep> steps) {
    this.contact = contact;
    this.steps = steps;
    this.reach = new Reach(steps);
  }

  /** Tries all; what depends on a step that failed is left out. */
  public void run() {
    boolean any = false;
    for (InetSocketAddress point : contact.points()) {
      any |=
          reach.port(point.getHostString(), point.getPort(), contact.protection().cql(), "cql.tls");
    }
    if (!any) {
      return;
    }
    UUID id = UUID.randomUUID();
    try (CqlSession session = contact.session(id)) {
      SessionUser user =
          contact
              .cql()
              .map(given -> SessionUser.named(given.user()))
              .orElseGet(() -> SessionUser.of(session, id));
      steps.accept(
          ConnectionStep.works(
              "login", user.text() + ", " + session.getMetadata().getNodes().size() + " nodes"));
      steps.accept(version(CassandraVersions.of(session.getMetadata().getNodes().values())));
      session.getMetadata().getNodes().values().stream()
          .map(CassandraCheck::host)
          .flatMap(Optional::stream)
          .sorted()
          .forEach(this::jmx);
      permissions(session, user);
    } catch (EngineException | DriverException e) {
      steps.accept(ConnectionStep.fails("login", ErrorLine.of(e), mendOfLogin(contact, e)));
    }
  }

  /** Those that the engine asks for when it connects, and before it changes something. */
  static ConnectionStep version(CassandraVersions ring) {
    String what = "version";
    return ring.refusal()
        .map(
            why ->
                ConnectionStep.fails(
                    what, why, "use a release of Trimtab that supports it, if there is one"))
        .or(
            () ->
                ring.hindrance()
                    .map(why -> ConnectionStep.fails(what, why, "end the upgrade of the ring")))
        .orElseGet(() -> ConnectionStep.works(what, "Cassandra " + ring.text()));
  }

  static String mendOfLogin(CassandraContact contact, Exception e) {
    String text = String.valueOf(e.getMessage());
    // What connections.yaml does not say of the login or of TLS is the file's.
    Optional<Path> file = contact.protection().driver();
    Optional<String> tlsOfFile =
        file.filter(f -> contact.protection().cql().isEmpty())
            .map(f -> "advanced.ssl-engine-factory of " + f);
    if (text.contains("certificate")) {
      // With TLS 1.3 a server refuses a client's certificate after the handshake.
      return "set "
          + tlsOfFile.map(factory -> "the key store in " + factory).orElse("cql.tls.keyStore")
          + " to a key whose certificate the nodes trust";
    }
    boolean refused = text.contains("uthentication") || text.contains("incorrect");
    if (!refused && contact.protection().cql().isEmpty() && file.isEmpty()) {
      // A node that wants TLS just ends the connection, whoever asks.
      return "set cql.tls, if the cluster's clients need TLS";
    }
    if (contact.cql().isEmpty()) {
      return refused
          ? file.map(f -> "set user and password in advanced.auth-provider of " + f)
              .orElse("set cql.user and cql.password")
          : "check that the ports of hosts are the nodes' for CQL, and that "
              + tlsOfFile.orElse("cql.tls")
              + " is theirs";
    }
    return "check that user "
        + contact.cql().get()
        + " exists, may log in (LOGIN = true), and has the password that cql.password refers to";
  }

  private static Optional<String> host(Node node) {
    return node.getEndPoint().resolve() instanceof InetSocketAddress cql && cql.getAddress() != null
        ? Optional.of(cql.getAddress().getHostAddress())
        : Optional.empty();
  }

  /** Reads a node's mode, and asks for something that needs the right to change. */
  private void jmx(String host) {
    if (!reach.port(host, contact.jmxPort(), contact.protection().jmx(), "jmx.tls")) {
      return;
    }
    String what = "JMX of " + host;
    try {
      String mode = contact.mode(host);
      steps.accept(ConnectionStep.works(what, "the node is " + mode));
    } catch (IOException e) {
      steps.accept(
          ConnectionStep.fails(
              what,
              ErrorLine.of(e),
              contact.jmx().isEmpty() && ErrorLine.of(e).contains("refuses the user")
                  ? "set jmx.user and jmx.password"
                  : "check jmx.user, jmx.password and jmx.tls"));
      return;
    }
    try {
      contact.tryJmxOperation(host);
      steps.accept(ConnectionStep.works("JMX of " + host + " may be used to act", ""));
    } catch (IOException e) {
      steps.accept(
          ConnectionStep.fails(
              "JMX of " + host + " may be used to act",
              ErrorLine.of(e),
              "give the user readwrite in the node's jmxremote.access, or EXECUTE and MODIFY on"
                  + " ALL MBEANS"));
    }
  }

  private void permissions(CqlSession session, SessionUser who) {
    who.instead().ifPresent(steps);
    if (who.name().isEmpty()) {
      return;
    }
    String user = named(who.name().get());
    Set<String> granted;
    boolean exists;
    try {
      if (superuser(session, who.name().get())) {
        steps.accept(ConnectionStep.works(PERMISSIONS, "the user may do everything"));
        return;
      }
      granted = granted(session, who.name().get());
      exists = controlExists(session);
    } catch (DriverException e) {
      steps.accept(unlisted(e, user));
      return;
    }
    String creation = ControlKeyspace.creation(session.getMetadata().getNodes().values());
    permissions(granted, exists, creation, user).forEach(steps);
  }

  /** A user may list its own. */
  private static boolean superuser(CqlSession session, String user) {
    for (Row role : session.execute("LIST ROLES OF " + quoted(user))) {
      if (role.getBoolean("super")) {
        return true;
      }
    }
    return false;
  }

  private static Set<String> granted(CqlSession session, String user) {
    Set<String> granted = new HashSet<>();
    for (Row row : session.execute("LIST ALL PERMISSIONS OF " + quoted(user))) {
      granted.add(row.getString("permission") + " " + row.getString("resource"));
    }
    return granted;
  }

  /** Asked of a table that everybody may read: a driver's file may switch its own metadata off. */
  private static boolean controlExists(CqlSession session) {
    String query =
        "SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = '%s'"
            .formatted(Keyspaces.CONTROL);
    return session.execute(query).one() != null;
  }

  /** What it means that a user's permissions can't be listed. */
  static ConnectionStep unlisted(DriverException e, String user) {
    String text = ErrorLine.of(e);
    if (e instanceof InvalidQueryException && text.contains("not supported")) {
      // AllowAllAuthorizer: it has no permissions to list.
      return ConnectionStep.works(PERMISSIONS, "the user may do everything");
    }
    if (e instanceof UnauthorizedException && text.contains("anonymous")) {
      return ConnectionStep.works(PERMISSIONS, "the cluster asks for no user");
    }
    return ConnectionStep.fails(
        PERMISSIONS,
        "they can't be listed: " + text,
        "see that LIST ALL PERMISSIONS OF " + user + " works for that user, and check again");
  }

  /**
   * A step for each permission that is needed.
   *
   * @param granted each as "SELECT &lt;keyspace k&gt;"
   * @param exists whether the controllers' keyspace does
   * @param creation what makes it
   */
  static List<ConnectionStep> permissions(
      Set<String> granted, boolean exists, String creation, String user) {
    List<ConnectionStep> found = new ArrayList<>();
    if (!exists) {
      String what = "keyspace " + Keyspaces.CONTROL;
      if (granted.contains("CREATE <all keyspaces>")) {
        // Who makes a keyspace is given all permissions on it.
        found.add(ConnectionStep.works(what, "the first controller makes it"));
        found.add(require(granted, "SELECT", VIEWS, user));
        return found;
      }
      // Nothing can be granted on it before.
      found.add(ConnectionStep.fails(what, "there is none, and the user can't make it", creation));
    }
    for (String permission : ON_CONTROL) {
      found.add(require(granted, permission, Keyspaces.CONTROL, user));
    }
    found.add(require(granted, "SELECT", VIEWS, user));
    return found;
  }

  private static ConnectionStep require(
      Set<String> granted, String permission, String keyspace, String user) {
    String what = "permission " + permission + " on keyspace " + keyspace;
    return has(granted, permission, keyspace)
        ? ConnectionStep.works(what, "")
        : ConnectionStep.fails(
            what, "missing", "GRANT " + permission + " ON KEYSPACE " + keyspace + " TO " + user);
  }

  /** All keyspaces are the users' ones: Cassandra's own are granted each by its name. */
  private static boolean has(Set<String> granted, String permission, String keyspace) {
    return granted.contains(permission + " <keyspace " + keyspace + ">")
        // Older releases refuse to grant anything on keyspaces of views, but not on a view.
        || (keyspace.equals(VIEWS) && granted.contains(permission + " <table " + SETTINGS + ">"))
        || (!Keyspaces.isCassandras(keyspace) && granted.contains(permission + " <all keyspaces>"));
  }

  /** As a statement takes it; quotes only where it needs them. */
  static String named(String user) {
    return user.matches("[a-z][a-z0-9_]*") ? user : quoted(user);
  }

  private static String quoted(String user) {
    return '"' + user.replace("\"", "\"\"") + '"';
  }
}
