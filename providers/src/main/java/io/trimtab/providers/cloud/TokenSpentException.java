package io.trimtab.providers.cloud;

import io.trimtab.engineapi.EngineException;

/** The token of a request is that of a machine which has ended: the next attempt has another. */
public final class TokenSpentException extends EngineException {
  private static final long serialVersionUID = 1L;

  public TokenSpentException(String message, Throwable cause) {
    super(message, cause);
  }
}
