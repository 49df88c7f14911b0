package io.trimtab.cassandra.cql;

import com.datastax.oss.driver.api.core.auth.PlainTextAuthProviderBase;
import com.datastax.oss.driver.api.core.metadata.EndPoint;
import java.util.function.Supplier;

/** A user whose password is read for each connection, so that it can be changed meanwhile. */
public final class ReadCredentials extends PlainTextAuthProviderBase {
  private final String user;
  private final Supplier<String> password;

  public ReadCredentials(String user, Supplier<String> password) {
    super("trimtab");
    this.user = user;
    this.password = password;
  }

  @Override
  protected Credentials getCredentials(EndPoint endPoint, String serverAuthenticator) {
    return new Credentials(user.toCharArray(), password.get().toCharArray());
  }
}
