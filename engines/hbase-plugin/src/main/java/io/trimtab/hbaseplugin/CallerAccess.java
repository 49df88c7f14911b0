package io.trimtab.hbaseplugin;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.security.access.Permission.Action;

/**
 * Asks HBase's own permissions whether the caller of the endpoint may do what it asks for: HBase
 * checks nothing before it calls a RegionServer's endpoint. Where HBase's authorization is off, all
 * callers may do everything, as in HBase itself. What can't be checked is refused.
 */
final class CallerAccess {
  private final RegionServerServices server;
  private final Supplier<Optional<User>> caller;

  /**
   * @param caller user of the request that the current thread handles
   */
  CallerAccess(RegionServerServices server, Supplier<Optional<User>> caller) {
    this.server = server;
    this.caller = caller;
  }

  /** One sentence on who may call the plug-in, for the server's log. */
  static String policy(Configuration configuration) {
    return AccessChecker.isAuthorizationSupported(configuration)
        ? "HBase's permissions decide who may call it"
        : User.HBASE_SECURITY_AUTHORIZATION_CONF_KEY
            + " is off: whoever reaches this server may call it, as HBase itself";
  }

  /**
   * @throws AccessDeniedException one line that names the missing permission
   */
  void requireAdmin(String method) throws IOException {
    require(
        method,
        "the global permission ADMIN",
        (checker, user) -> checker.requirePermission(user, method, null, Action.ADMIN));
  }

  /**
   * @throws AccessDeniedException one line that names the missing permission
   */
  void requireRead(String method, String table) throws IOException {
    TableName name = TableName.valueOf(table);
    require(
        method,
        "the permission READ on table " + table,
        (checker, user) ->
            checker.requirePermission(user, method, name, null, null, null, Action.READ));
  }

  /** A question to HBase's permissions. */
  @FunctionalInterface
  private interface Question {
    /** Throws AccessDeniedException where the answer is no. */
    void ask(AccessChecker checker, User user) throws IOException;
  }

  private void require(String method, String permission, Question question) throws IOException {
    if (!AccessChecker.isAuthorizationSupported(server.getConfiguration())) {
      return;
    }
    AccessChecker checker = server.getAccessChecker();
    if (checker == null) {
      throw new AccessDeniedException(
          method + " is refused until this server has read HBase's permissions");
    }
    User user = caller.get().orElse(null);
    try {
      question.ask(checker, user);
    } catch (AccessDeniedException e) {
      String name = user == null ? "an unknown user" : "user " + user.getShortName();
      AccessDeniedException refusal =
          new AccessDeniedException(name + " needs " + permission + " for " + method);
      refusal.initCause(e);
      throw refusal;
    }
  }
}
