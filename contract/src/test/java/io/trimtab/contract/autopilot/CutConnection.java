package io.trimtab.contract.autopilot;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Forwards connections to a port until it is cut; from then on nothing arrives any more and no
 * connection is closed, as where packets are dropped.
 */
public final class CutConnection implements AutoCloseable {
  private final ServerSocket listening;
  private final InetSocketAddress to;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile boolean cut;

  CutConnection(int to) throws IOException {
    this(
        InetAddress.getLoopbackAddress(),
        new InetSocketAddress(InetAddress.getLoopbackAddress(), to));
  }

  /** From any port of an address of this machine. */
  public CutConnection(InetAddress from, InetSocketAddress to) throws IOException {
    this.to = to;
    this.listening = new ServerSocket(0, 50, from);
    begin(this::accept);
  }

  public int port() {
    return listening.getLocalPort();
  }

  void cut() {
    cut = true;
  }

  private static void begin(Runnable work) {
    Thread thread = new Thread(work, "cut-connection");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket from = listening.accept();
        Socket other = new Socket();
        sockets.add(from);
        sockets.add(other);
        other.connect(to);
        begin(() -> copy(from, other));
        begin(() -> copy(other, from));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void copy(Socket from, Socket other) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = other.getOutputStream();
      byte[] bytes = new byte[8192];
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        if (!cut) {
          out.write(bytes, 0, n);
          out.flush();
        }
      }
      if (!cut) {
        other.close();
      }
    } catch (IOException e) {
      // One side is gone.
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
