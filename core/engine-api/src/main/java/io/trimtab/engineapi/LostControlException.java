package io.trimtab.engineapi;

/**
 * This process is no longer the cluster's controller. It must leave the cluster as it is: what is
 * to be done is its successor's to decide.
 */
public final class LostControlException extends EngineException {
  private static final long serialVersionUID = 1L;

  public LostControlException(String message) {
    super(message);
  }

  public LostControlException(String message, Throwable cause) {
    super(message, cause);
  }
}
