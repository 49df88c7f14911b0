package io.trimtab.hbase.security;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.Login;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;

/**
 * Who this side is to ZooKeeper. Its client logs in by a name that the JDK's login configuration,
 * one for the whole process, knows; so that gets an entry for each user, and keeps what it had.
 */
public final class ZooKeeperUser {
  static final String MODULE = "com.sun.security.auth.module.Krb5LoginModule";
  private static final String PREFIX = "trimtab-zookeeper-";
  private static final Map<String, AppConfigurationEntry> ENTRIES = new ConcurrentHashMap<>();

  private ZooKeeperUser() {}

  /**
   * Makes clients' tickets be renewed at least a second apart. With the default, a minute, the
   * thread that renews a ticket which lasts no longer never pauses, and closing the client waits
   * for that thread for ever. It is read once, so this comes before the process's first client.
   */
  public static void renewOften() {
    if (System.getProperty(Login.MIN_TIME_BEFORE_RELOGIN_CONFIG_KEY) == null) {
      System.setProperty(Login.MIN_TIME_BEFORE_RELOGIN_CONFIG_KEY, "1000");
    }
  }

  /**
   * Sets what a client needs to log in.
   *
   * @throws IOException if the process has another configuration of Kerberos
   */
  public static void logIn(Kerberos how, ZKClientConfig client) throws IOException {
    Krb5File.use(how.krb5());
    install();
    String name = PREFIX + Integer.toHexString(how.hashCode());
    ENTRIES.put(name, entry(how));
    client.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "true");
    client.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, name);
    if (how.keytab().isEmpty()) {
      // ZooKeeper's client would renew this user's default cache, with kinit. What it reads is
      // renewed by somebody else: a command that does nothing makes it just read it again.
      client.setProperty(ZKClientConfig.KINIT_COMMAND, "true");
    }
  }

  private static AppConfigurationEntry entry(Kerberos how) {
    Map<String, String> options = new HashMap<>();
    how.principal().ifPresent(principal -> options.put("principal", principal));
    options.put("doNotPrompt", "true");
    options.put("refreshKrb5Config", "true");
    if (how.keytab().isPresent()) {
      options.put("useKeyTab", "true");
      options.put("keyTab", how.proof().toString());
      options.put("storeKey", "true");
    } else {
      options.put("useTicketCache", "true");
      options.put("ticketCache", how.proof().toString());
    }
    return new AppConfigurationEntry(MODULE, LoginModuleControlFlag.REQUIRED, options);
  }

  private static synchronized void install() {
    Configuration present = present();
    if (!(present instanceof WithOurs)) {
      Configuration.setConfiguration(new WithOurs(present));
    }
  }

  /** Null where the process has none. */
  private static Configuration present() {
    try {
      return Configuration.getConfiguration();
    } catch (SecurityException e) {
      // So the JDK tells that there is no file of it.
      return null;
    }
  }

  private static final class WithOurs extends Configuration {
    private final Configuration others;

    WithOurs(Configuration others) {
      this.others = others;
    }

    @Override
    public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
      AppConfigurationEntry own = ENTRIES.get(name);
      if (own != null) {
        return new AppConfigurationEntry[] {own};
      }
      return others == null ? null : others.getAppConfigurationEntry(name);
    }
  }

  /**
   * Who may touch what controllers keep: only the user that has made it, whatever ZooKeeper makes
   * of its principal; nobody else may even read it, because plans name tables and keys.
   */
  public static ACLProvider ownersOnly() {
    return new ACLProvider() {
      @Override
      public List<ACL> getDefaultAcl() {
        return ZooDefs.Ids.CREATOR_ALL_ACL;
      }

      @Override
      public List<ACL> getAclForPath(String path) {
        return ZooDefs.Ids.CREATOR_ALL_ACL;
      }
    };
  }
}
