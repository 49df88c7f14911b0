package io.trimtab.hbase.zookeeper;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.security.Kerberos;
import io.trimtab.hbase.zookeeper.ClusterZooKeeper.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/** The steps of a connection's check that ZooKeeper answers. Nothing is made or changed there. */
public final class ZooKeeperCheck {
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
    return new ZooKeeperTls(target).tried(servers, steps);
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
              "check "
                  + ZooKeeperTls.PROPERTY
                  + "* (TLS) in hbase-site.xml, and kerberos.zookeeper"));
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
