package io.trimtab.host.tls;

import io.trimtab.host.ErrorLine;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This side's part of TLS: whom to trust, who this side is, and what the other side's certificate
 * must name. Stores that have changed are read again for the next connection; connections that are
 * open stay. A store that can't be read when it has changed, because it is just being written or is
 * broken, leaves the one before in force. Thread-safe.
 */
public final class Tls {
  private static final Logger LOG = LoggerFactory.getLogger(Tls.class);

  /** RFC 2818, as the JDK checks it: the certificate's alternative names, with wildcards. */
  private static final String CHECK = "HTTPS";

  /** What the other side's certificate must name. */
  public enum HostNames {
    /** The name or the address that the connection was asked for. */
    ADDRESS,
    /** The name that the network's name service has for the address. */
    DNS,
    /** Nothing. */
    NONE
  }

  /**
   * A store of keys or certificates, PKCS #12 or JKS.
   *
   * @param password asked for whenever the store is read; an empty text: it has none
   */
  public record Store(Path file, Supplier<String> password) {
    @Override
    public String toString() {
      return file.toString();
    }
  }

  /** What was read, and how the files looked then. */
  private record Loaded(List<String> looks, SSLContext context) {}

  private final Optional<Store> trust;
  private final Optional<Store> key;
  private final HostNames hostNames;
  private Loaded loaded;

  /**
   * @param trust empty: whom the JDK trusts
   * @param key empty: no certificate of this side's
   */
  public Tls(Optional<Store> trust, Optional<Store> key, HostNames hostNames) {
    this.trust = trust;
    this.key = key;
    this.hostNames = hostNames;
  }

  /**
   * Of the stores as they are now.
   *
   * @throws IOException naming the store that can't be read, if none of it ever could
   */
  public synchronized SSLContext context() throws IOException {
    List<String> looks = Stream.concat(trust.stream(), key.stream()).map(Tls::look).toList();
    if (loaded != null && loaded.looks().equals(looks)) {
      return loaded.context();
    }
    try {
      loaded = new Loaded(looks, load());
    } catch (IOException e) {
      if (loaded == null) {
        throw e;
      }
      LOG.warn("{}; the certificates that were read before stay in force", e.getMessage());
      // Told once for each change.
      loaded = new Loaded(looks, loaded.context());
    }
    return loaded.context();
  }

  private static String look(Store store) {
    try {
      return Files.getLastModifiedTime(store.file()) + " " + Files.size(store.file());
    } catch (IOException e) {
      return "unreadable";
    }
  }

  private SSLContext load() throws IOException {
    try {
      TrustManager[] trusted = null;
      if (trust.isPresent()) {
        TrustManagerFactory factory =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(open(trust.get()));
        trusted = factory.getTrustManagers();
      }
      KeyManager[] own = null;
      if (key.isPresent()) {
        KeyManagerFactory factory =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(open(key.get()), password(key.get()));
        own = factory.getKeyManagers();
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own, trusted, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(this + ": can't be used for TLS: " + ErrorLine.of(e), e);
    }
  }

  private static KeyStore open(Store store) throws IOException, GeneralSecurityException {
    char[] password = password(store);
    try {
      KeyStore read = KeyStore.getInstance(store.file().toFile(), password);
      if (read.size() == 0) {
        // Without its password a store is read, and what is encrypted in it left out.
        throw new IOException("has nothing in it" + (password == null ? " without password" : ""));
      }
      return read;
    } catch (NoSuchFileException | FileNotFoundException e) {
      throw new IOException(store.file() + ": no such file", e);
    } catch (IllegalArgumentException e) {
      String problem = Files.exists(store.file()) ? ": is no file" : ": no such file";
      throw new IOException(store.file() + problem, e);
    } catch (IOException e) {
      throw new IOException(store.file() + ": " + ErrorLine.of(e), e);
    }
  }

  /** Null without one. A password that can't be read is a store that can't. */
  private static char[] password(Store store) throws IOException {
    try {
      String text = store.password().get();
      return text.isEmpty() ? null : text.toCharArray();
    } catch (RuntimeException e) {
      throw new IOException(store.file() + ": " + ErrorLine.of(e), e);
    }
  }

  /**
   * One end of a connection.
   *
   * @param host as the connection was asked for
   */
  public SSLEngine engine(String host, int port) throws IOException {
    SSLEngine engine = context().createSSLEngine(expected(host), port);
    engine.setUseClientMode(true);
    engine.setSSLParameters(checked(engine.getSSLParameters()));
    return engine;
  }

  /**
   * TLS on a socket that is connected; closing the result closes it. The handshake is done, so that
   * a certificate that is not trusted, or of another host, fails here.
   */
  public SSLSocket over(Socket connected, String host, int port) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context().getSocketFactory().createSocket(connected, expected(host), port, true);
    try {
      socket.setSSLParameters(checked(socket.getSSLParameters()));
      socket.startHandshake();
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Parameters that check the host's name, unless that is switched off. */
  public SSLParameters checked(SSLParameters parameters) {
    if (hostNames != HostNames.NONE) {
      parameters.setEndpointIdentificationAlgorithm(CHECK);
    }
    return parameters;
  }

  private String expected(String host) throws UnknownHostException {
    return hostNames == HostNames.DNS ? InetAddress.getByName(host).getCanonicalHostName() : host;
  }

  /** The stores' files, for messages. */
  @Override
  public String toString() {
    String files =
        String.join(
            ", ", Stream.concat(trust.stream(), key.stream()).map(Store::toString).toList());
    return files.isEmpty() ? "the JDK's trust store" : files;
  }
}
