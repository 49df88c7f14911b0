package io.trimtab.runtime.service;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.trimtab.runtime.service.ReportDesk.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request on one connection: a client reports twice a minute, so that keeping connections would
 * only keep them from others. A request that can't become a report is answered before its body is
 * read. After the answer the connection is open until the client closes it, or its time is up: if
 * it were closed while the client still sends, the client would see that instead of the answer.
 */
final class ReportConnection extends SimpleChannelInboundHandler<HttpObject> {
  static final int BODY_MAX_BYTES = 64 << 10;
  static final String PATH = "/report";

  private static final Logger LOG = LoggerFactory.getLogger(ReportConnection.class);

  private final ReportDesk desk;
  private final ByteBuf body = Unpooled.buffer();
  private String authorization;
  private boolean answered;

  ReportConnection(ReportDesk desk) {
    this.desk = desk;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
    if (answered) {
      return;
    }
    if (part.decoderResult().isFailure()) {
      answer(context, new Answer(400, "not an HTTP request"));
      return;
    }
    if (part instanceof HttpRequest request) {
      begin(context, request);
    }
    if (part instanceof HttpContent content && !answered) {
      if (body.readableBytes() + content.content().readableBytes() > BODY_MAX_BYTES) {
        answer(context, tooLarge());
        return;
      }
      body.writeBytes(content.content());
      if (part instanceof LastHttpContent) {
        byte[] bytes = new byte[body.readableBytes()];
        body.readBytes(bytes);
        answer(context, desk.hear(authorization, bytes));
      }
    }
  }

  private void begin(ChannelHandlerContext context, HttpRequest request) {
    authorization = request.headers().get(HttpHeaderNames.AUTHORIZATION);
    Optional<Answer> refusal = refusal(request);
    if (refusal.isPresent()) {
      answer(context, refusal.get());
    } else if (HttpUtil.is100ContinueExpected(request)) {
      context.writeAndFlush(
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
    }
  }

  private Optional<Answer> refusal(HttpRequest request) {
    if (!request.uri().equals(PATH)) {
      return Optional.of(new Answer(404, "reports go to " + PATH));
    }
    if (!request.method().equals(HttpMethod.POST)) {
      return Optional.of(new Answer(405, "only POST is answered"));
    }
    if (request.headers().contains(HttpHeaderNames.ORIGIN)) {
      // Only browsers send it. The address may be one that only this machine reaches, and a page
      // that somebody here looks at reaches it, too.
      return Optional.of(new Answer(403, "pages in a browser can't report"));
    }
    Optional<Answer> refusal = desk.refusal(authorization);
    if (refusal.isPresent()) {
      return refusal;
    }
    return HttpUtil.getContentLength(request, 0L) > BODY_MAX_BYTES
        ? Optional.of(tooLarge())
        : Optional.empty();
  }

  private static Answer tooLarge() {
    return new Answer(413, "a report has at most " + BODY_MAX_BYTES + " bytes");
  }

  private void answer(ChannelHandlerContext context, Answer answer) {
    answered = true;
    byte[] line =
        answer.text().isEmpty()
            ? new byte[0]
            : (answer.text() + "\n").getBytes(StandardCharsets.UTF_8);
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(answer.status()),
            Unpooled.wrappedBuffer(line));
    response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    if (answer.status() == HttpResponseStatus.UNAUTHORIZED.code()) {
      response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
    }
    if (line.length > 0) {
      String type = answer.status() == Answer.ADMITTED ? "application/json" : "text/plain";
      response.headers().set(HttpHeaderNames.CONTENT_TYPE, type + "; charset=utf-8");
      response.headers().set(HttpHeaderNames.CONTENT_LENGTH, line.length);
    }
    ChannelFuture sent = context.writeAndFlush(response);
    sent.addListener(done -> ((DuplexChannel) context.channel()).shutdownOutput());
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    body.release();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("a client's connection broke", cause);
    } else {
      LOG.warn("a client's report could not be read", cause);
    }
    context.close();
  }
}
