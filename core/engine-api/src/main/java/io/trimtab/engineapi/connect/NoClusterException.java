package io.trimtab.engineapi.connect;

import io.trimtab.engineapi.EngineException;

/**
 * No cluster runs at an address: it is known that nobody listens there, or that nobody has
 * registered. Whoever does not answer for another reason may run.
 */
public final class NoClusterException extends EngineException {
  private static final long serialVersionUID = 1L;

  public NoClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
