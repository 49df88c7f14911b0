package io.trimtab.host.connect;

import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.host.ErrorLine;
import io.trimtab.host.tls.Tls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/** Tries to reach a port: its host's name, the port itself, TLS on it. */
public final class Reach {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final Consumer<ConnectionStep> steps;

  /**
   * @param steps hears each step as it ends
   */
  public Reach(Consumer<ConnectionStep> steps) {
    this.steps = steps;
  }

  /**
   * Connects, and disconnects.
   *
   * @param tls empty: it is not tried
   * @param setting where the stores are set, for what mends it: {@code cql.tls}
   * @return whether all of it works
   */
  public boolean port(String host, int port, Optional<Tls> tls, String setting) {
    InetAddress address;
    try {
      address = InetAddress.getByName(host);
      steps.accept(ConnectionStep.works("name " + host, address.getHostAddress()));
    } catch (UnknownHostException e) {
      steps.accept(
          ConnectionStep.fails(
              "name " + host, "nobody knows it", "correct it, or add it to the name service"));
      return false;
    }
    String at = host + ":" + port;
    Socket socket = new Socket();
    try (socket) {
      socket.setSoTimeout((int) LIMIT.toMillis());
      socket.connect(new InetSocketAddress(address, port), (int) LIMIT.toMillis());
      steps.accept(ConnectionStep.works("port " + at, ""));
      return tls.isEmpty() || handshake(socket, host, port, tls.get(), setting);
    } catch (IOException e) {
      steps.accept(
          ConnectionStep.fails(
              "port " + at,
              ErrorLine.of(e),
              "start what listens there, correct the port, or open the firewall to this machine"));
      return false;
    }
  }

  /**
   * Whether it is known that nobody listens at a port: nobody knows the host's name, there is no
   * way to it, or it refuses the connection. One that keeps silent may have somebody.
   */
  public static boolean nobody(String host, int port) {
    Socket socket = new Socket();
    try (socket) {
      socket.connect(
          new InetSocketAddress(InetAddress.getByName(host), port), (int) LIMIT.toMillis());
      return false;
    } catch (UnknownHostException | NoRouteToHostException e) {
      return true;
    } catch (ConnectException e) {
      // The JDK says so too of a network that is down, and has no other type for it.
      return ErrorLine.of(e).contains("refused");
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Does the handshake, and disconnects.
   *
   * @param setting as for {@link #port}
   * @throws SSLPeerUnverifiedException in one line why this side does not take the certificate that
   *     the server has shown, and what mends it
   * @throws IOException if no certificate is shown within some seconds, or the handshake fails for
   *     another reason
   */
  public static void verify(String host, int port, Tls tls, String setting) throws IOException {
    Socket socket = new Socket();
    try (socket) {
      socket.setSoTimeout((int) LIMIT.toMillis());
      socket.connect(
          new InetSocketAddress(InetAddress.getByName(host), port), (int) LIMIT.toMillis());
      tls.over(socket, host, port).close();
    } catch (SSLException e) {
      if (!ofCertificate(e)) {
        throw e;
      }
      SSLPeerUnverifiedException refused =
          new SSLPeerUnverifiedException(
              what(host, port)
                  + ": "
                  + ErrorLine.of(e)
                  + ConnectionStep.MEND
                  + mend(e, host, setting));
      refused.initCause(e);
      throw refused;
    }
  }

  /** What the other side refuses comes as an alert, which has no such cause. */
  private static boolean ofCertificate(SSLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof GeneralSecurityException) {
        return true;
      }
    }
    return false;
  }

  private static String what(String host, int port) {
    return "TLS with " + host + ":" + port;
  }

  private boolean handshake(Socket socket, String host, int port, Tls tls, String setting) {
    String what = what(host, port);
    try (SSLSocket secured = tls.over(socket, host, port)) {
      steps.accept(
          ConnectionStep.works(
              what,
              secured.getSession().getProtocol()
                  + ", "
                  + secured.getSession().getPeerPrincipal().getName()));
      return true;
    } catch (IOException e) {
      steps.accept(ConnectionStep.fails(what, ErrorLine.of(e), mend(e, host, setting)));
      return false;
    }
  }

  /**
   * What mends that this side does not trust the server; empty if the problem is another one.
   *
   * @param authorities what names those that are trusted: {@code cql.tls.trustStore}
   */
  public static Optional<String> mendOfTrust(String problem, String authorities) {
    if (problem.contains("validity check failed")) {
      return Optional.of(
          "renew the server's certificate, or that of its authority, or set this machine's clock");
    }
    return problem.contains("PKIX") || problem.contains("trustAnchors")
        ? Optional.of(
            "add the certificate of the authority that signed the server's to " + authorities)
        : Optional.empty();
  }

  /** Whether the problem is that the server's certificate names another host. */
  public static boolean ofAnotherHost(String problem) {
    return problem.contains("subject alternative") || problem.contains("No name matching");
  }

  /**
   * What mends that a client of HTTPS does not take the server's certificate; empty if the problem
   * is another one. Such clients always check the host: there is no setting.
   *
   * @param authorities as for {@link #mendOfTrust}
   */
  public static Optional<String> mendOfHttps(String problem, String authorities) {
    return ofAnotherHost(problem)
        ? Optional.of("give the server a certificate that names the host of that address")
        : mendOfTrust(problem, authorities);
  }

  /** By what the JDK says of a handshake that failed; it has no types for it. */
  static String mend(IOException e, String host, String setting) {
    String text = String.valueOf(e.getMessage());
    Optional<String> trust = mendOfTrust(text, setting + ".trustStore");
    if (trust.isPresent()) {
      return trust.get();
    } else if (ofAnotherHost(text)) {
      return "give the server a certificate that names "
          + host
          + ", or set "
          + setting
          + ".hostNames to dns";
    } else if (text.contains("bad_certificate")
        || text.contains("certificate_required")
        || text.contains("certificate_unknown")) {
      return "set " + setting + ".keyStore to a key whose certificate the server trusts";
    } else if (e instanceof SSLHandshakeException) {
      return "agree with the server on TLS 1.2 or 1.3";
    } else if (text.contains("plaintext") || text.contains("Unsupported or unrecognized SSL")) {
      return "switch TLS on at the server, or remove " + setting;
    }
    return "correct " + setting;
  }
}
