package io.trimtab.runtime.service;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AttributeKey;
import io.trimtab.runtime.ports.MonotonicTime;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Bounds how long a connection may last, however slowly its client sends, and how many there are:
 * beyond that the oldest is closed, which has had the most time. Asked whenever bytes arrive, and
 * each second in which none do. All connections are served by one thread, which needs no lock.
 */
@Sharable
final class Connections extends ChannelDuplexHandler {
  static final int MAX = 256;
  static final Duration TIME_MAX = Duration.ofSeconds(10);

  private static final AttributeKey<Long> OPENED =
      AttributeKey.valueOf(Connections.class, "opened");

  private final MonotonicTime time;
  private final Set<Channel> open = new LinkedHashSet<>();

  Connections(MonotonicTime time) {
    this.time = time;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    context.channel().attr(OPENED).set(time.nanos());
    open.add(context.channel());
    if (open.size() > MAX) {
      Iterator<Channel> oldest = open.iterator();
      Channel last = oldest.next();
      oldest.remove();
      last.close();
    }
    context.fireChannelActive();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    open.remove(context.channel());
    context.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    closeIfLate(context);
    context.fireChannelRead(bytes);
  }

  /** After each second without bytes. */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    closeIfLate(context);
  }

  private void closeIfLate(ChannelHandlerContext context) {
    Long opened = context.channel().attr(OPENED).get();
    if (opened != null && time.nanos() - opened > TIME_MAX.toNanos()) {
      context.close();
    }
  }
}
