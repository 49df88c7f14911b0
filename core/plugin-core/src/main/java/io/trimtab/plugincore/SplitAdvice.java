package io.trimtab.plugincore;

/** Whether and where a partition should be split, and why. */
public final class SplitAdvice {

  /** What to do. */
  public enum Verdict {
    SPLIT("split"),
    WAIT("wait"),
    UNSPLITTABLE_HOT_KEY("unsplittable-hot-key"),
    NOT_WORTH_IT("not-worth-it");

    private final String word;

    Verdict(String word) {
      this.word = word;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  private final Verdict verdict;
  private final byte[] key;
  private final double leftShare;
  private final double bound;
  private final long requests;
  private final String reason;

  SplitAdvice(
      Verdict verdict, byte[] key, double leftShare, double bound, long requests, String reason) {
    this.verdict = verdict;
    this.key = key.clone();
    this.leftShare = leftShare;
    this.bound = bound;
    this.requests = requests;
    this.reason = reason;
  }

  /** For one who may not see the partition's keys: nothing but the reason. */
  public static SplitAdvice withheld(String reason) {
    return new SplitAdvice(Verdict.WAIT, new byte[0], Double.NaN, 1, 0, reason);
  }

  public Verdict verdict() {
    return verdict;
  }

  /** The first key of the right half, or the hot key; empty where there is none. */
  public byte[] key() {
    return key.clone();
  }

  /** Share of requests that would be left of the key, in [0, 1]; NaN where there is no key. */
  public double leftShare() {
    return leftShare;
  }

  /** How far {@link #leftShare} may be from the truth, at 95 %, in [0, 1]. */
  public double bound() {
    return bound;
  }

  /** Requests that the advice rests on. */
  public long requests() {
    return requests;
  }

  /** One sentence. */
  public String reason() {
    return reason;
  }
}
