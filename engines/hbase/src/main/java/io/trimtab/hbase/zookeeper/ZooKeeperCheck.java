package io.trimtab.hbase.zookeeper;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.security.Kerberos;
import io.trimtab.hbase.zookeeper.ClusterZooKeeper.Trial;
import io.trimtab.host.ErrorLine;
import io.trimtab.host.connect.Reach;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLSocket;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.SSLContextAndOptions;
import org.apache.zookeeper.common.X509Exception;
import org.apache.zookeeper.data.ACL;

/** The steps of a connection's check that ZooKeeper answers. Nothing is made or changed there. */
public final class ZooKeeperCheck {
  private static final int LIMIT_MS = 5_000;
  private static final String PROPERTY = "hbase.zookeeper.property.";
  private static final String KNOWS = "ZooKeeper knows the user";

  private final HBaseContact target;
  private final Consumer<ConnectionStep> steps;

  /**
   * @param steps hears each step as it ends
   */
  public ZooKeeperCheck(HBaseContact target, Consumer<ConnectionStep> steps) {
    this.target = target;
    this.steps = steps;
  }

  /**
   * Tries TLS where the site files switch it on, as ZooKeeper's client would.
   *
   * @param servers each {@code host:port}
   * @return whether it works with one of them, or is not used
   */
  public boolean tls(List<String> servers) {
    ZKClientConfig config = ZKConfig.getZKClientConfig(target.configuration());
    if (!config.getBoolean(ZKClientConfig.SECURE_CLIENT)) {
      return true;
    }
    String what = "TLS with ZooKeeper";
    String socket = config.getProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "");
    if (!socket.endsWith("ClientCnxnSocketNetty")) {
      steps.accept(
          ConnectionStep.fails(
              what,
              "it is switched on, and its client would not use it",
              "set "
                  + PROPERTY
                  + "clientCnxnSocket to org.apache.zookeeper.ClientCnxnSocketNetty"));
      return false;
    }
    boolean any = false;
    try (ClientX509Util stores = new ClientX509Util()) {
      SSLContextAndOptions tls = stores.createSSLContextAndOptions(config);
      for (String server : servers) {
        any |= handshake(tls, server);
      }
    } catch (X509Exception.SSLContextException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      steps.accept(
          ConnectionStep.fails(
              what, ErrorLine.of(cause), "correct " + PROPERTY + "ssl.* in hbase-site.xml"));
    }
    return any;
  }

  private boolean handshake(SSLContextAndOptions tls, String server) {
    String what = "TLS with " + server;
    int colon = server.lastIndexOf(':');
    String host = server.substring(0, colon);
    int port = Integer.parseInt(server.substring(colon + 1));
    try (SSLSocket socket = tls.createSSLSocket()) {
      socket.setSoTimeout(LIMIT_MS);
      socket.connect(new InetSocketAddress(host, port), LIMIT_MS);
      socket.startHandshake();
      steps.accept(
          ConnectionStep.works(
              what,
              socket.getSession().getProtocol()
                  + ", "
                  + socket.getSession().getPeerPrincipal().getName()));
      return true;
    } catch (IOException e) {
      String problem = ErrorLine.of(e);
      steps.accept(ConnectionStep.fails(what, problem, mendOfTls(problem, host)));
      return false;
    }
  }

  /** By what the JDK and ZooKeeper's own trust manager say; they have no types for it. */
  static String mendOfTls(String problem, String host) {
    if (problem.contains("verify both host")) {
      return "give the server a certificate that names "
          + host
          + ", or set "
          + PROPERTY
          + "ssl.hostnameVerification to false";
    }
    if (problem.contains("unrecognized SSL")
        || problem.contains("plaintext")
        || problem.contains("terminated the handshake")
        || problem.contains("reset")) {
      // A port without TLS ends what it takes for a request that is too long.
      return "name the servers' port for TLS (secureClientPort) in hbase-site.xml, or remove "
          + PROPERTY
          + "client.secure";
    }
    if (problem.contains("bad_certificate") || problem.contains("certificate_")) {
      return "set " + PROPERTY + "ssl.keyStore.* to a key whose certificate the server trusts";
    }
    return Reach.mendOfTrust(problem, PROPERTY + "ssl.trustStore")
        .orElse("correct " + PROPERTY + "ssl.* in hbase-site.xml");
  }

  /**
   * Tries a session, and what a controller needs of it.
   *
   * @return whether HBase's master is registered
   */
  public boolean session() {
    try (ClusterZooKeeper zookeeper = ClusterZooKeeper.open(target)) {
      boolean master = master(zookeeper);
      znodes(zookeeper);
      return master;
    } catch (EngineException e) {
      steps.accept(
          ConnectionStep.fails(
              "session with ZooKeeper",
              e.getMessage(),
              "check " + PROPERTY + "* (TLS) in hbase-site.xml, and kerberos.zookeeper"));
      return false;
    }
  }

  private boolean master(ClusterZooKeeper zookeeper) {
    String what = "ZooKeeper with HBase's master under " + target.znodeParent();
    try {
      zookeeper.requireMaster();
      steps.accept(ConnectionStep.works(what, ""));
      return true;
    } catch (EngineException e) {
      steps.accept(
          ConnectionStep.fails(
              what,
              e.getMessage(),
              "correct zookeeper.znode.parent in hbase-site.xml, or start the master"));
      return false;
    }
  }

  private void znodes(ClusterZooKeeper zookeeper) throws EngineException {
    boolean there = true;
    boolean open = false;
    try {
      Optional<List<ACL>> acl = zookeeper.acl(ControlPaths.TOP);
      there = acl.isPresent();
      open = acl.orElse(List.of()).stream().anyMatch(a -> a.getId().getScheme().equals("world"));
    } catch (EngineException e) {
      if (!(e.getCause() instanceof KeeperException.NoAuthException)) {
        throw e;
      }
      // It is somebody else's, who lets nobody ask.
    }
    Trial trial =
        zookeeper.trial(
            there ? ControlPaths.TOP + "/check" : ControlPaths.TOP,
            target.knownToZooKeeper() ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE);
    Optional<String> user =
        target
            .protection()
            .kerberos()
            .filter(Kerberos::zookeeper)
            .map(how -> how.principal().orElse("USER"));
    told(there, open, trial, user).forEach(steps);
  }

  /**
   * What was found of the znode that controllers keep all of theirs below.
   *
   * @param there whether there is one
   * @param open whether everybody may do something with it
   * @param trial to make it, or one below it
   * @param user to whom it shall belong alone; empty where ZooKeeper knows no users
   */
  static List<ConnectionStep> told(
      boolean there, boolean open, Trial trial, Optional<String> user) {
    List<ConnectionStep> found = new ArrayList<>();
    if (user.isPresent()) {
      if (trial == Trial.NOBODY) {
        found.add(
            ConnectionStep.fails(
                KNOWS,
                "it lets in users, and asks for no name",
                "switch SASL on at its servers (authProvider.sasl ="
                    + " org.apache.zookeeper.server.auth.SASLAuthenticationProvider), or set"
                    + " kerberos.zookeeper to false"));
        return found;
      }
      found.add(ConnectionStep.works(KNOWS, ""));
    }
    String acl = user.map(name -> "sasl:" + name + ":cdrwa").orElse("world:anyone:cdrwa");
    boolean may = trial == Trial.MAY || trial == Trial.EXISTS;
    String own = "znode " + ControlPaths.TOP + " is the controllers' own";
    if (!there) {
      String what = "znode " + ControlPaths.TOP;
      found.add(
          may
              ? ConnectionStep.works(what, "the first controller makes it")
              : ConnectionStep.fails(
                  what,
                  "there is none, and the user can't make it",
                  "as who may, in zkCli.sh: create " + ControlPaths.TOP + " \"\" " + acl));
    } else if (!may) {
      found.add(
          ConnectionStep.fails(
              own,
              "it is another user's",
              user.isPresent()
                  ? "log in as that user, or as it, in zkCli.sh: setAcl -R "
                      + ControlPaths.TOP
                      + " "
                      + acl
                  : "set kerberos, and log in as that user"));
    } else if (open && user.isPresent()) {
      found.add(
          ConnectionStep.fails(
              own,
              "everybody may use it",
              "as its user, in zkCli.sh: setAcl -R " + ControlPaths.TOP + " auth::cdrwa"));
    } else {
      found.add(
          ConnectionStep.works(own, user.isPresent() ? "" : "as far as ZooKeeper knows users"));
    }
    return found;
  }
}
