package io.trimtab.engineapi.snapshot;

/**
 * How a node has served requests lately, whoever sent them.
 *
 * @param requests since its process started; −1 if the engine does not provide it
 * @param p99Ms 99th percentile of the last seconds' response times in milliseconds, the wait in the
 *     node's queues included; NaN if the engine does not provide it, or there were no requests
 * @param refused requests that were dropped, timed out or refused since its process started; −1 if
 *     the engine does not provide it
 * @param meanMs mean of the last seconds' response times in milliseconds, as of {@code p99Ms}; NaN
 *     if the engine does not provide it, or there were no requests
 */
public record RequestTimes(long requests, double p99Ms, long refused, double meanMs) {
  public static final RequestTimes UNKNOWN = new RequestTimes(-1, Double.NaN, -1);

  public RequestTimes {
    requests = Math.max(-1, requests);
    p99Ms = p99Ms >= 0 ? p99Ms : Double.NaN;
    refused = Math.max(-1, refused);
    meanMs = meanMs > 0 ? meanMs : Double.NaN;
  }

  /** Of an engine that provides no mean. */
  public RequestTimes(long requests, double p99Ms, long refused) {
    this(requests, p99Ms, refused, Double.NaN);
  }
}
