package io.trimtab.hbase.zookeeper;

import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.host.ErrorLine;
import io.trimtab.host.connect.Reach;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.SSLContextAndOptions;
import org.apache.zookeeper.common.X509Exception;

/**
 * TLS with ZooKeeper's servers, as ZooKeeper's own client does it where the site files switch it
 * on. That client tells nobody why it fails: it tries again until its time is up.
 */
final class ZooKeeperTls {
  /** With which the settings of ZooKeeper's client begin in HBase's site files. */
  static final String PROPERTY = "hbase.zookeeper.property.";

  private static final int LIMIT_MS = 5_000;

  /** With it the client's certificate is refused after the handshake only. */
  private static final String ANSWERS_LATE = "TLSv1.3";

  private static final int REFUSAL_MS = 500;
  private static final String WHAT = "TLS with ZooKeeper";
  private static final String REFUSED = "the server ends it, and does not take this side";

  private final ZKClientConfig config;

  ZooKeeperTls(HBaseContact target) {
    this.config = ZKConfig.getZKClientConfig(target.configuration());
  }

  private boolean used() {
    return config.getBoolean(ZKClientConfig.SECURE_CLIENT);
  }

  /** A server's address, which is told as {@code host:port}. */
  private record Address(String host, int port) {
    static Address of(String server) {
      int colon = server.lastIndexOf(':');
      return new Address(server.substring(0, colon), Integer.parseInt(server.substring(colon + 1)));
    }

    /** Whether somebody listens there. */
    boolean answers() {
      return new Reach(step -> {}).port(host, port, Optional.empty(), "");
    }

    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /**
   * Why no server could be used, if TLS is why: what fails with the first one that somebody listens
   * at, in one line with what mends it. Empty where it is not used, or works with any of them.
   */
  static Optional<String> refusal(HBaseContact target) {
    ZooKeeperTls tls = new ZooKeeperTls(target);
    if (!tls.used()) {
      return Optional.empty();
    }
    List<String> listening =
        Stream.of(target.zookeeper().split(","))
            .filter(server -> Address.of(server).answers())
            .toList();
    List<ConnectionStep> steps = new ArrayList<>();
    if (listening.isEmpty() || tls.tried(listening, steps::add)) {
      return Optional.empty();
    }
    ConnectionStep first = steps.get(0);
    return Optional.of(first.what() + ": " + first.detail() + "; to mend it: " + first.mend());
  }

  /**
   * Tries it with each server.
   *
   * @param servers each {@code host:port}
   * @param steps hears each step as it ends
   * @return whether it works with one of them, or is not used
   */
  boolean tried(List<String> servers, Consumer<ConnectionStep> steps) {
    if (!used()) {
      return true;
    }
    String socket = config.getProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "");
    if (!socket.endsWith("ClientCnxnSocketNetty")) {
      steps.accept(
          ConnectionStep.fails(
              WHAT,
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
        ConnectionStep step = handshake(tls, Address.of(server));
        steps.accept(step);
        any |= step.works();
      }
    } catch (X509Exception.SSLContextException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      steps.accept(
          ConnectionStep.fails(
              WHAT, ErrorLine.of(cause), "correct " + PROPERTY + "ssl.* in hbase-site.xml"));
    }
    return any;
  }

  private static ConnectionStep handshake(SSLContextAndOptions tls, Address server) {
    String what = "TLS with " + server;
    HeardSocket plain = new HeardSocket();
    try (plain) {
      plain.setSoTimeout(LIMIT_MS);
      plain.connect(new InetSocketAddress(server.host(), server.port()), LIMIT_MS);
      SSLSession session = session(tls, plain, server);
      return ConnectionStep.works(
          what, session.getProtocol() + ", " + session.getPeerPrincipal().getName());
    } catch (IOException e) {
      String problem = ErrorLine.of(e);
      // The alert of a server that has answered, and ends it then, comes too late or never.
      String told = plain.heard() && ended(problem) ? REFUSED + ": " + problem : problem;
      return ConnectionStep.fails(what, told, mend(told, server.host()));
    }
  }

  /** As {@code createSSLSocket} would make it. */
  private static SSLSession session(SSLContextAndOptions tls, Socket connected, Address server)
      throws IOException {
    SSLSocketFactory sockets = tls.getSSLContext().getSocketFactory();
    try (SSLSocket options = tls.createSSLSocket();
        SSLSocket socket =
            (SSLSocket) sockets.createSocket(connected, server.host(), server.port(), true)) {
      socket.setSSLParameters(options.getSSLParameters());
      socket.startHandshake();
      if (socket.getSession().getProtocol().equals(ANSWERS_LATE)) {
        awaitRefusal(socket);
      }
      return socket.getSession();
    }
  }

  /** Nothing is said where this side's certificate is accepted. */
  private static void awaitRefusal(SSLSocket socket) throws IOException {
    socket.setSoTimeout(REFUSAL_MS);
    try {
      if (socket.getInputStream().read() < 0) {
        throw new EOFException("the server ended the connection after the handshake");
      }
    } catch (SocketTimeoutException accepted) {
      // A server waits for its client to begin.
      return;
    }
  }

  /** It knows whether the other side has said anything. */
  private static final class HeardSocket extends Socket {
    private volatile boolean heard;

    boolean heard() {
      return heard;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          int read = super.read();
          heard |= read >= 0;
          return read;
        }

        @Override
        public int read(byte[] bytes, int from, int most) throws IOException {
          int read = super.read(bytes, from, most);
          heard |= read > 0;
          return read;
        }
      };
    }
  }

  private static boolean ended(String problem) {
    return problem.contains("terminated the handshake")
        || problem.contains("reset")
        || problem.contains("ended the connection")
        || problem.contains("Broken pipe");
  }

  /** By what the JDK and ZooKeeper's own trust manager say; they have no types for it. */
  static String mend(String problem, String host) {
    if (problem.contains("Failed to verify")) {
      return "give the server a certificate that names "
          + host
          + ", or set "
          + PROPERTY
          + "ssl.hostnameVerification to false";
    }
    if (problem.contains("timed out")) {
      return "restart that server, which lets itself be connected with and does not answer";
    }
    if (problem.contains(REFUSED)
        || problem.contains("bad_certificate")
        || problem.contains("certificate_")) {
      return "set " + PROPERTY + "ssl.keyStore.* to a key whose certificate the server trusts";
    }
    if (problem.contains("unrecognized SSL") || problem.contains("plaintext") || ended(problem)) {
      // A port without TLS ends what it takes for a request that is too long.
      return "name the servers' port for TLS (secureClientPort) in hbase-site.xml, or remove "
          + PROPERTY
          + "client.secure";
    }
    return Reach.mendOfTrust(problem, PROPERTY + "ssl.trustStore")
        .orElse("correct " + PROPERTY + "ssl.* in hbase-site.xml");
  }
}
