package io.trimtab.runtime.service;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Judges reports, whatever they come by: who may send one, and what is kept of it. */
final class ReportDesk {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /**
   * The answer to a request.
   *
   * @param status of HTTP
   * @param text one line; empty where there is nothing to say
   */
  record Answer(int status, String text) {
    static final int ADMITTED = 200;
    static final Answer HEARD = new Answer(204, "");

    /** Heard, and the clients may ask for so many MB/s. */
    static Answer admitted(double megabytesPerSecond) {
      return new Answer(
          ADMITTED, String.format(Locale.ROOT, "{\"admittedMBps\":%.6f}", megabytesPerSecond));
    }

    Answer {
      text = text.split("\n", 2)[0];
    }
  }

  private static final Answer UNKNOWN =
      new Answer(401, "a tenant's token is needed: Authorization: Bearer TOKEN");

  private final Map<String, Senders> senders;
  private final Optional<Tokens> tokens;
  private final ToDoubleFunction<ClientReport> admitted;

  /**
   * @param senders by tenants, whose clients' reports are kept; others' are accepted and forgotten
   * @param tokens empty where everyone may report
   * @param admitted MB/s that the clients of a report may ask for, infinite if as much as they like
   */
  ReportDesk(
      Map<String, Senders> senders,
      Optional<Tokens> tokens,
      ToDoubleFunction<ClientReport> admitted) {
    this.senders = Map.copyOf(senders);
    this.tokens = tokens;
    this.admitted = admitted;
  }

  /**
   * Why the sender is sent away before its report is read; empty where it may report.
   *
   * @param authorization the request's header, null where there is none
   */
  Optional<Answer> refusal(String authorization) {
    return tokens.isPresent() && tokens.get().tenant(authorization).isEmpty()
        ? Optional.of(UNKNOWN)
        : Optional.empty();
  }

  /** Reads a report and keeps it. */
  Answer hear(String authorization, byte[] body) {
    try {
      ClientReport report = JSON.readValue(body, ClientReport.class);
      if (report == null) {
        return new Answer(400, "not a report");
      }
      return hear(authorization, report);
    } catch (JsonMappingException e) {
      Throwable cause = e.getCause() instanceof IllegalArgumentException i ? i : e;
      String text = cause == e ? e.getOriginalMessage() : String.valueOf(cause.getMessage());
      return new Answer(400, "not a report: " + text);
    } catch (IOException e) {
      return new Answer(400, "not JSON");
    }
  }

  private Answer hear(String authorization, ClientReport report) {
    if (tokens.isPresent()) {
      Optional<String> sender = tokens.get().tenant(authorization);
      if (sender.isEmpty()) {
        return UNKNOWN;
      }
      if (!sender.get().equals(report.tenant())) {
        return new Answer(403, "the token is not that of tenant " + report.tenant());
      }
    }
    Senders own = senders.get(report.tenant());
    if (own == null) {
      return Answer.HEARD;
    }
    if (!own.put(report)) {
      return new Answer(429, Senders.MAX + " others report already");
    }
    double most = admitted.applyAsDouble(report);
    return Double.isInfinite(most) ? Answer.HEARD : Answer.admitted(most);
  }
}
