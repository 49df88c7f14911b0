package io.trimtab.hbase.security;

import io.trimtab.hbase.HBaseErrors;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A login that lasts: a thread of its own gets a new ticket before the old one ends, from the
 * keytab, or from a ticket cache that something else has renewed. Each cluster has its own, so that
 * one process may be several users. Thread-safe.
 */
public final class KerberosLogin implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KerberosLogin.class);

  /** Between two looks at the ticket; one of a minute is renewed at its 48th second. */
  private static final Duration PERIOD = Duration.ofSeconds(5);

  /** Hadoop asks the KDC no more often; a minute by default, as long as a ticket may last. */
  private static final String PAUSE_S = "hadoop.kerberos.min.seconds.before.relogin";

  private static final String RULES = "hadoop.security.auth_to_local";
  private static final String SPNEGO = "1.3.6.1.5.5.2";

  /** By which users' names are made of principals; Hadoop has them for the whole process. */
  private static String rules;

  private final Kerberos how;
  private final UserGroupInformation user;
  private final ScheduledExecutorService renewal;
  private FileTime cacheRead;
  private String toldLast = "";

  private KerberosLogin(Kerberos how, UserGroupInformation user, FileTime cacheRead) {
    this.how = how;
    this.user = user;
    this.cacheRead = cacheRead;
    this.renewal =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "trimtab-kerberos");
              thread.setDaemon(true);
              return thread;
            });
    var unused =
        renewal.scheduleWithFixedDelay(
            this::renew, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Logs in.
   *
   * @param conf of the cluster's clients
   * @throws IOException in words of Kerberos; {@link KerberosErrors} knows what mends it
   */
  public static KerberosLogin open(Kerberos how, Configuration conf) throws IOException {
    if (!Files.isReadable(how.proof())) {
      throw new IOException(how.proof() + ": no such file, or this user can't read it");
    }
    configure(how, conf);
    FileTime read = Files.getLastModifiedTime(how.proof());
    UserGroupInformation user =
        how.keytab().isPresent()
            ? UserGroupInformation.loginUserFromKeytabAndReturnUGI(
                how.principal().orElseThrow(), how.proof().toString())
            : fromCache(how);
    return new KerberosLogin(how, user, read);
  }

  private static UserGroupInformation fromCache(Kerberos how) throws IOException {
    try {
      return UserGroupInformation.getUGIFromTicketCache(
          how.proof().toString(), how.principal().orElse(null));
    } catch (IOException e) {
      // The JDK passes over tickets that have ended, and those of others, and asks for a password.
      if (String.valueOf(e.getMessage()).contains(KerberosErrors.NO_PASSWORD)) {
        throw new IOException(
            "%s: %s in it%s: all have expired, or are of others"
                .formatted(
                    how.proof(),
                    KerberosErrors.NO_TICKET,
                    how.principal().map(name -> " of " + name).orElse("")),
            e);
      }
      throw e;
    }
  }

  /** Hadoop and the JDK keep these for the whole process. */
  private static synchronized void configure(Kerberos how, Configuration conf) throws IOException {
    Krb5File.use(how.krb5());
    if (!firstRules(conf)) {
      return;
    }
    Configuration secured = new Configuration(conf);
    secured.set("hadoop.security.authentication", "kerberos");
    secured.set(PAUSE_S, "1");
    UserGroupInformation.setConfiguration(secured);
  }

  /**
   * Whether these are the process's first.
   *
   * @throws IOException if another cluster's differ, which would hold no more
   */
  static synchronized boolean firstRules(Configuration conf) throws IOException {
    String wanted = conf.get(RULES, "DEFAULT").strip();
    boolean first = rules == null;
    if (first) {
      rules = wanted;
    } else if (!rules.equals(wanted)) {
      throw new IOException(
          RULES + " is not that of another cluster in this process, and Hadoop has one for all");
    }
    return first;
  }

  /** As whom connections are made. */
  public UserGroupInformation user() {
    return user;
  }

  private synchronized void renew() {
    try {
      if (how.keytab().isPresent()) {
        user.checkTGTAndReloginFromKeytab();
      } else {
        readCache();
      }
      toldLast = "";
    } catch (IOException | RuntimeException e) {
      // The ticket may last for a while; the next look tries again.
      String problem = HBaseErrors.line(e);
      if (!problem.equals(toldLast)) {
        LOG.warn("Kerberos, {}: no new ticket: {}", how, problem);
        toldLast = problem;
      }
    }
  }

  private void readCache() throws IOException {
    Path cache = how.proof();
    FileTime written = Files.getLastModifiedTime(cache);
    if (!written.equals(cacheRead)) {
      user.reloginFromTicketCache();
      cacheRead = written;
    }
  }

  /**
   * A first token for a page that asks for one (RFC 4559).
   *
   * @param host of the page, whose principal is {@code HTTP/host}
   */
  public byte[] negotiate(String host) throws IOException {
    PrivilegedExceptionAction<byte[]> token =
        () -> {
          GSSManager manager = GSSManager.getInstance();
          GSSName server = manager.createName("HTTP@" + host, GSSName.NT_HOSTBASED_SERVICE);
          GSSContext context =
              manager.createContext(server, new Oid(SPNEGO), null, GSSContext.DEFAULT_LIFETIME);
          try {
            return context.initSecContext(new byte[0], 0, 0);
          } finally {
            context.dispose();
          }
        };
    try {
      return user.doAs(token);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (UndeclaredThrowableException e) {
      if (e.getCause() instanceof GSSException refused) {
        throw new IOException("no ticket for HTTP/" + host + ": " + refused.getMessage(), refused);
      }
      throw e;
    }
  }

  @Override
  public void close() {
    renewal.shutdownNow();
  }
}
