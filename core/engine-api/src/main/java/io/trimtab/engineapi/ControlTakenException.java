package io.trimtab.engineapi;

/** Another controller is in charge of the cluster. */
public final class ControlTakenException extends EngineException {
  private static final long serialVersionUID = 1L;

  public ControlTakenException(String message) {
    super(message);
  }
}
