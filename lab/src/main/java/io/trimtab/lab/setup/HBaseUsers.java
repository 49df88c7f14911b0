package io.trimtab.lab.setup;

import io.trimtab.hbase.security.KerberosLogin;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The users of a secure HBase lab, and what they may do. */
public final class HBaseUsers {
  private static final Logger LOG = LoggerFactory.getLogger(HBaseUsers.class);
  private static final String CONTROLLER = "trimtab";

  private final HBaseKeys keys;

  public HBaseUsers(HBaseKeys keys) {
    this.keys = keys;
  }

  /** Logs the operator in, who may do everything. */
  public KerberosLogin operator() throws IOException {
    return KerberosLogin.open(keys.kerberos("operator"), conf());
  }

  private Configuration conf() {
    return keys.contact().configuration();
  }

  @FunctionalInterface
  private interface Change {
    void on(Admin admin) throws IOException;
  }

  private void asOperator(Change change) throws IOException {
    try (KerberosLogin login = operator();
        Connection connection =
            ConnectionFactory.createConnection(conf(), User.create(login.user()));
        Admin admin = connection.getAdmin()) {
      change.on(admin);
    }
  }

  /**
   * Gives the controller's user what it needs.
   *
   * @return whether that is done; not while HBase's table of permissions is not served
   */
  public boolean admit() {
    try {
      give(CONTROLLER, Action.ADMIN);
      return true;
    } catch (IOException e) {
      LOG.info("permissions can't be given yet: {}", e.getMessage());
      return false;
    }
  }

  /** Gives a user global permissions. */
  public void give(String user, Action... actions) throws IOException {
    Permission global = Permission.newBuilder().withActions(actions).build();
    asOperator(admin -> admin.grant(new UserPermission(user, global), false));
  }

  /** Takes a user's global permissions away. */
  public void take(String user) throws IOException {
    Permission global = Permission.newBuilder().withActions(Action.values()).build();
    asOperator(admin -> admin.revoke(new UserPermission(user, global)));
  }
}
