package io.trimtab.simulator;

/** Ends an episode that does not end by itself; nothing in a controller catches it. */
final class Endless extends Error {
  private static final long serialVersionUID = 1L;

  Endless(int steps) {
    super("the episode has not ended after " + steps + " steps", null, false, false);
  }
}
