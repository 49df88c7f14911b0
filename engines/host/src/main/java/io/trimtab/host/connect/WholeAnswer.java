package io.trimtab.host.connect;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Answers of HTTP servers that are whole within a time and a size, or none. */
public final class WholeAnswer {
  private WholeAnswer() {}

  /** An answer that has more bytes than are read. */
  public static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLongException(int most) {
      super("the answer has more than " + (most >> 20) + " MiB");
    }
  }

  /**
   * Sends a request and reads what is answered.
   *
   * @param limit of the whole answer: the client's own ends with its headers
   * @param most bytes of the body; one that is longer is not read to its end
   * @throws HttpTimeoutException if it is not whole by then
   * @throws TooLongException if it has more bytes
   */
  public static HttpResponse<byte[]> send(
      HttpClient client, HttpRequest request, Duration limit, int most)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> sent =
        client.sendAsync(request, headers -> new Body(most));
    try {
      HttpResponse<byte[]> answer = sent.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (answer.body().length > most) {
        throw new TooLongException(most);
      }
      return answer;
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("no whole answer within " + limit.toMillis() / 1000.0 + " s");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
    } finally {
      boolean unused = sent.cancel(true);
    }
  }

  /** The bytes of an answer; of one that is too long so many that this can be seen. */
  private static final class Body implements HttpResponse.BodySubscriber<byte[]> {
    private final int most;
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Flow.Subscription subscription;

    Body(int most) {
      this.most = most;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
      for (ByteBuffer part : parts) {
        byte[] some = new byte[part.remaining()];
        part.get(some);
        bytes.writeBytes(some);
      }
      if (bytes.size() > most) {
        subscription.cancel();
        onComplete();
      }
    }

    @Override
    public void onError(Throwable problem) {
      whole.completeExceptionally(problem);
    }

    @Override
    public void onComplete() {
      whole.complete(bytes.toByteArray());
    }

    @Override
    public CompletionStage<byte[]> getBody() {
      return whole;
    }
  }
}
