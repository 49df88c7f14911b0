package io.trimtab.providers.cloud;

import io.trimtab.engineapi.EngineException;

/** A cloud has refused a machine because of a quota, or for want of hosts. */
public final class NoRoomException extends EngineException {
  private static final long serialVersionUID = 1L;

  public NoRoomException(String message, Throwable cause) {
    super(message, cause);
  }
}
