package io.trimtab.cassandra.cql;

import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.ssl.SslEngineFactory;
import io.trimtab.host.tls.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLEngine;

/**
 * TLS of the driver's connections. Each new one takes the certificates as they are by then, so that
 * they can be exchanged while a session lives. Nodes that the ring tells are known by address.
 */
public final class TlsEngines implements SslEngineFactory {
  private final Tls tls;

  public TlsEngines(Tls tls) {
    this.tls = tls;
  }

  @Override
  public SSLEngine newSslEngine(EndPoint remote) {
    if (!(remote.resolve() instanceof InetSocketAddress address)) {
      throw new IllegalArgumentException("no host and port: " + remote);
    }
    try {
      return tls.engine(address.getHostString(), address.getPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {}
}
