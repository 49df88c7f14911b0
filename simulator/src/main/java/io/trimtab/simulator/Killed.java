package io.trimtab.simulator;

/** Ends a controller as {@code kill -9} does: nothing of it runs after this. */
final class Killed extends Error {
  private static final long serialVersionUID = 1L;

  Killed() {
    super("killed", null, false, false);
  }
}
