package io.trimtab.engineapi;

/**
 * A cluster rejected a request, failed or did not answer; the message names the host and fits on
 * one line.
 */
public class EngineException extends Exception {
  private static final long serialVersionUID = 1L;

  public EngineException(String message) {
    super(message);
  }

  public EngineException(String message, Throwable cause) {
    super(message, cause);
  }
}
