package io.trimtab.cassandra.check;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.trimtab.cassandra.CassandraContact;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.host.connect.Reach;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Tries a Cassandra connection step by step, and changes nothing. */
public final class CassandraCheck {
  private static final String CONTROL = "trimtab_control";

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
    try (CqlSession session = contact.session()) {
      steps.accept(
          ConnectionStep.works(
              "login",
              contact.cql().map(c -> "as " + c).orElse("without a user")
                  + ", Cassandra "
                  + session.execute("SELECT release_version FROM system.local").one().getString(0)
                  + ", "
                  + session.getMetadata().getNodes().size()
                  + " nodes"));
      session.getMetadata().getNodes().values().stream()
          .map(CassandraCheck::host)
          .flatMap(Optional::stream)
          .sorted()
          .forEach(this::jmx);
      permissions(session);
    } catch (EngineException | DriverException e) {
      steps.accept(ConnectionStep.fails("login", Reach.line(e), mendOfLogin(contact, e)));
    }
  }

  static String mendOfLogin(CassandraContact contact, Exception e) {
    String text = String.valueOf(e.getMessage());
    if (text.contains("certificate")) {
      // With TLS 1.3 a server refuses a client's certificate after the handshake.
      return "set cql.tls.keyStore to a key whose certificate the nodes trust";
    }
    boolean refused = text.contains("uthentication") || text.contains("incorrect");
    if (!refused
        && contact.protection().cql().isEmpty()
        && contact.protection().driver().isEmpty()) {
      // A node that wants TLS just ends the connection, whoever asks.
      return "set cql.tls, if the cluster's clients need TLS";
    }
    if (contact.cql().isEmpty()) {
      return refused
          ? "set cql.user and cql.password"
          : "check that the ports of hosts are the nodes' for CQL, and that cql.tls is theirs";
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
              Reach.line(e),
              contact.jmx().isEmpty() && Reach.line(e).contains("refuses the user")
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
              Reach.line(e),
              "give the user readwrite in the node's jmxremote.access, or EXECUTE and MODIFY on"
                  + " ALL MBEANS"));
    }
  }

  private void permissions(CqlSession session) {
    Optional<Set<String>> granted = granted(session);
    if (granted.isEmpty()) {
      steps.accept(ConnectionStep.works("permissions", "the user may do everything"));
      return;
    }
    String user = contact.cql().map(Object::toString).orElse("the user");
    for (String permission : ON_CONTROL) {
      require(granted.get(), permission, CONTROL, user);
    }
    require(granted.get(), "SELECT", "system_views", user);
  }

  private void require(Set<String> granted, String permission, String keyspace, String user) {
    String what = "permission " + permission + " on keyspace " + keyspace;
    boolean has =
        granted.contains(permission + " <all keyspaces>")
            || granted.contains(permission + " <keyspace " + keyspace + ">");
    steps.accept(
        has
            ? ConnectionStep.works(what, "")
            : ConnectionStep.fails(
                what,
                "missing",
                "GRANT " + permission + " ON KEYSPACE " + keyspace + " TO " + user));
  }

  /** A user may list its own; empty where the cluster does not check any, or it is superuser. */
  private Optional<Set<String>> granted(CqlSession session) {
    if (contact.cql().isEmpty()) {
      return Optional.empty();
    }
    String user = '"' + contact.cql().get().user().replace("\"", "\"\"") + '"';
    try {
      for (Row role : session.execute("LIST ROLES OF " + user)) {
        if (role.getBoolean("super")) {
          return Optional.empty();
        }
      }
      Set<String> granted = new HashSet<>();
      for (Row row : session.execute("LIST ALL PERMISSIONS OF " + user)) {
        granted.add(row.getString("permission") + " " + row.getString("resource"));
      }
      return Optional.of(granted);
    } catch (DriverException e) {
      // Such as AllowAllAuthorizer: it has no permissions to list.
      return Optional.empty();
    }
  }
}
