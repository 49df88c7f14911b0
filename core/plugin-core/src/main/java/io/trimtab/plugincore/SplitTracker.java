package io.trimtab.plugincore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Follows the requests of one partition and reports the key that halves them. It learns the prefix
 * that the keys share from the first of them, and shortens it when many keys without it come. Not
 * thread-safe.
 */
public final class SplitTracker {
  /** Fewer requests are not sufficient. */
  public static final int REQUESTS_MIN = 2_000;

  /** A key with more than this share of the requests stays hot wherever the partition is split. */
  public static final double HOT_SHARE = 0.5;

  /** A split that leaves more than this share on one side is not worth a new partition. */
  public static final double SIDE_MAX = 0.75;

  /** A split that more than this share of the calls of scans straddles costs more than it gains. */
  public static final double STRADDLE_MAX = 0.5;

  /** Where scans are fewer of the requests they don't speak against a split. */
  private static final double SCANS_MIN = 0.5;

  /** After so many requests those of before count half, when scans are judged. */
  private static final int HALVED_AFTER = 32_000;

  private static final int LEARNED_FROM = 64;
  private static final int REFERENCE_EVERY = 200;

  /** Share of requests without the prefix above which it is shortened. */
  private static final double OUTSIDE_MAX = 0.05;

  /** Bytes kept of a key without the prefix: enough to compare prefixes. */
  private static final int OUTSIDER_BYTES = 32;

  private final byte[] start;
  private final byte[] end;
  private final List<byte[]> first = new ArrayList<>();
  private final List<byte[]> outsiders = new ArrayList<>();
  private final SketchEstimator estimator;

  /** All requests, while the estimator drops old ones. */
  private long seen;

  private long seenBeforeOutsiders;
  private volatile KeyImage images;

  /** Requests that calls of scans are a share of; what is older counts less and less. */
  private long judged;

  /** Of these, calls of scans, and those that the latest split key would divide. */
  private long scans;

  private long straddling;

  /** Where the next call counts. */
  private boolean atLast;

  /** Where scans are judged against; looking up the latest for each would cost too much. */
  private OptionalLong reference = OptionalLong.empty();

  private int sinceReference;

  /**
   * @param start of the partition, inclusive; empty where it is open
   * @param end of the partition, exclusive; empty where it is open
   */
  public SplitTracker(byte[] start, byte[] end) {
    this(start, end, new SketchEstimator());
  }

  private SplitTracker(byte[] start, byte[] end, SketchEstimator estimator) {
    this.start = start.clone();
    this.end = end.clone();
    this.estimator = estimator;
  }

  /**
   * What is known of a part of the partition, for the daughter of a split.
   *
   * @param from of the part, inclusive; empty where it is open
   * @param to of the part, exclusive; empty where it is open
   */
  public SplitTracker part(byte[] from, byte[] to) {
    if (images == null && !first.isEmpty()) {
      learn();
    }
    if (images == null) {
      return new SplitTracker(from, to);
    }
    long low = from.length == 0 ? KeyImage.LOWEST : images.image(from);
    long beyond = images.image(to);
    if (to.length > 0 && beyond == KeyImage.LOWEST) {
      return new SplitTracker(from, to);
    }
    long high = to.length == 0 ? KeyImage.HIGHEST : beyond - 1;
    SplitTracker part = new SplitTracker(from, to, estimator.part(low, high));
    part.images = images;
    return part;
  }

  /** How keys become numbers; null until enough of them were seen. */
  public KeyImage images() {
    return images;
  }

  /**
   * Takes requests by their numbers.
   *
   * @param by what made the numbers; those of an earlier one are ignored
   * @param count of numbers that hold requests
   */
  public void add(KeyImage by, long[] numbers, int count) {
    if (by != images) {
      return;
    }
    for (int i = 0; i < count; i++) {
      estimator.add(numbers[i]);
    }
    seen(count);
  }

  private void seen(int requests) {
    seen += requests;
    judged += requests;
    if (judged > HALVED_AFTER) {
      judged /= 2;
      scans /= 2;
      straddling /= 2;
    }
  }

  /** A read or write of one key. Keys outside the partition, and the empty key, are ignored. */
  public void add(byte[] key) {
    if (key.length == 0 || !within(key)) {
      return;
    }
    seen(1);
    if (images == null) {
      first.add(key.clone());
      if (first.size() == LEARNED_FROM) {
        learn();
      }
      return;
    }
    if (!images.covers(key, 0, key.length)) {
      outsider(key);
    }
    estimator.add(images.image(key));
  }

  /**
   * A few keys without the prefix, a probe for example, count as the lowest or highest number. Only
   * when many come is the prefix shortened: a short one leaves fewer bytes to tell keys apart by.
   */
  private void outsider(byte[] key) {
    if (outsiders.isEmpty()) {
      seenBeforeOutsiders = seen;
    }
    outsiders.add(Arrays.copyOf(key, Math.min(key.length, OUTSIDER_BYTES)));
    if (outsiders.size() < LEARNED_FROM) {
      return;
    }
    if (seen - seenBeforeOutsiders <= LEARNED_FROM / OUTSIDE_MAX) {
      KeyImage tooLong = images;
      KeyImage shorter = new KeyImage(KeyImage.common(images.prefix(), shared(outsiders)));
      images = shorter;
      estimator.renumber(image -> shorter.image(tooLong.key(image)));
      reference = OptionalLong.empty();
      sinceReference = 0;
    }
    outsiders.clear();
  }

  /** The prefix of most of the keys: a tenth at either end does not count. */
  private static byte[] shared(List<byte[]> keys) {
    List<byte[]> sorted = new ArrayList<>(keys);
    sorted.sort(Arrays::compareUnsigned);
    int cut = sorted.size() / 10;
    return KeyImage.common(sorted.get(cut), sorted.get(sorted.size() - 1 - cut));
  }

  /**
   * A call of a scan, which is one request as a read is: it counts at its first and at its last key
   * by turns.
   *
   * @param from lowest key that it returned
   * @param to highest key that it returned
   */
  public void addScanCall(byte[] from, byte[] to) {
    add(atLast ? to : from);
    atLast = !atLast;
    if (sinceReference++ % REFERENCE_EVERY == 0) {
      reference = estimator.split();
    }
    OptionalLong split = reference;
    if (images != null && split.isPresent()) {
      scans++;
      straddling +=
          images.image(from) < split.getAsLong() && images.image(to) >= split.getAsLong() ? 1 : 0;
    }
  }

  private boolean within(byte[] key) {
    return Arrays.compareUnsigned(key, start) >= 0
        && (end.length == 0 || Arrays.compareUnsigned(key, end) < 0);
  }

  private void learn() {
    images = new KeyImage(shared(first));
    first.forEach(key -> estimator.add(images.image(key)));
    first.clear();
  }

  /** What is known now. */
  public SplitAdvice advice() {
    if (images == null && !first.isEmpty()) {
      learn();
    }
    long requests = estimator.requests();
    if (requests < REQUESTS_MIN) {
      return none(
          SplitAdvice.Verdict.WAIT,
          "only " + requests + " of " + REQUESTS_MIN + " requests have been seen");
    }
    OptionalLong hot = estimator.hot(HOT_SHARE);
    if (hot.isPresent()) {
      return new SplitAdvice(
          SplitAdvice.Verdict.UNSPLITTABLE_HOT_KEY,
          images.key(hot.getAsLong()),
          Double.NaN,
          estimator.bound(),
          requests,
          "one key has more than half of the requests, and no split parts it");
    }
    SketchEstimator.Halves halves = estimator.halves();
    byte[] key = images.key(halves.split());
    double left = halves.leftShare();
    if (!inside(key)) {
      return none(
          SplitAdvice.Verdict.NOT_WORTH_IT, "the requests halve at the partition's own boundary");
    }
    double more = Math.max(left, 1 - left);
    if (more > SIDE_MAX) {
      return new SplitAdvice(
          SplitAdvice.Verdict.NOT_WORTH_IT,
          key,
          left,
          estimator.bound(),
          requests,
          String.format(
              Locale.ROOT,
              "the best split leaves %.0f %% of the requests on one side",
              100 * more));
    }
    if (scans > 0
        && straddling > STRADDLE_MAX * scans
        && scans > SCANS_MIN * Math.max(judged, REQUESTS_MIN)) {
      return new SplitAdvice(
          SplitAdvice.Verdict.NOT_WORTH_IT,
          key,
          left,
          estimator.bound(),
          requests,
          String.format(
              Locale.ROOT,
              "%.0f %% of the calls of scans would go to both halves",
              100.0 * straddling / scans));
    }
    return new SplitAdvice(
        SplitAdvice.Verdict.SPLIT,
        key,
        left,
        estimator.bound(),
        requests,
        String.format(
            Locale.ROOT, "%.0f and %.0f %% of the requests", 100 * left, 100 * (1 - left)));
  }

  /** A legal split key is a key of the partition, but not its first. */
  private boolean inside(byte[] key) {
    return key.length > 0 && within(key) && Arrays.compareUnsigned(key, start) > 0;
  }

  private SplitAdvice none(SplitAdvice.Verdict verdict, String why) {
    return new SplitAdvice(
        verdict, new byte[0], Double.NaN, estimator.bound(), estimator.requests(), why);
  }
}
