package io.trimtab.providers;

import io.trimtab.engineapi.EngineException;

/**
 * The certificate of the service that a provider asks is not taken: nothing was asked, and it does
 * not pass by itself. The message says what mends it.
 */
public final class UntrustedServiceException extends EngineException {
  private static final long serialVersionUID = 1L;

  public UntrustedServiceException(String message, Throwable cause) {
    super(message, cause);
  }
}
