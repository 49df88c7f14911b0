package io.trimtab.runtime.service;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.IdleStateHandler;
import io.trimtab.config.UserError;
import io.trimtab.runtime.ports.MonotonicTime;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;

/**
 * Accepts clients' reports over HTTP: {@code POST /report} with JSON. One thread serves all
 * connections and waits for none of them, so that slow clients cost others nothing.
 */
final class ReportServer implements AutoCloseable {
  private static final int LINE_MAX_BYTES = 1 << 10;
  private static final int HEADERS_MAX_BYTES = 8 << 10;
  private static final int IDLE_CHECK_S = 1;

  private final Channel server;
  private final EventLoopGroup loop;

  private ReportServer(Channel server, EventLoopGroup loop) {
    this.server = server;
    this.loop = loop;
  }

  /**
   * Starts listening.
   *
   * @param address {@code host:port}; port 0 selects a free one
   * @param open whether everyone may report; then only this machine's own addresses are allowed
   * @param threads runs the server, as one task that lasts until it is closed
   * @throws UserError if the address can't be listened on
   */
  static ReportServer open(
      String address, ReportDesk desk, boolean open, Executor threads, MonotonicTime time) {
    InetSocketAddress socket = socket(address);
    if (open && !socket.getAddress().isLoopbackAddress()) {
      throw new UserError(
          "slo.listen: other machines can reach %s: set slo.tokens, or listen on 127.0.0.1"
              .formatted(address));
    }
    EventLoopGroup loop = new NioEventLoopGroup(1, threads);
    ChannelFuture bound = bootstrap(loop, desk, time).bind(socket).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      loop.shutdownGracefully();
      throw unusable(address, bound.cause());
    }
    return new ReportServer(bound.channel(), loop);
  }

  private static InetSocketAddress socket(String address) {
    int colon = address.lastIndexOf(':');
    try {
      int port = Integer.parseInt(address.substring(colon + 1));
      InetSocketAddress socket = new InetSocketAddress(address.substring(0, colon), port);
      if (socket.isUnresolved()) {
        throw new UserError("slo.listen: " + address + " can't be used: unknown host");
      }
      return socket;
    } catch (IllegalArgumentException e) {
      throw unusable(address, e);
    }
  }

  private static UserError unusable(String address, Throwable cause) {
    return new UserError("slo.listen: " + address + " can't be used: " + cause.getMessage(), cause);
  }

  private static ServerBootstrap bootstrap(
      EventLoopGroup loop, ReportDesk desk, MonotonicTime time) {
    Connections connections = new Connections(time);
    return new ServerBootstrap()
        .group(loop)
        .channel(NioServerSocketChannel.class)
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel
                    .pipeline()
                    .addLast(
                        new IdleStateHandler(0, 0, IDLE_CHECK_S),
                        connections,
                        new HttpServerCodec(LINE_MAX_BYTES, HEADERS_MAX_BYTES, HEADERS_MAX_BYTES),
                        new ReportConnection(desk));
              }
            });
  }

  int port() {
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  @Override
  public void close() {
    server.close().awaitUninterruptibly();
    loop.shutdownGracefully();
  }
}
