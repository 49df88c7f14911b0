package io.trimtab.providers.openstack;

import io.trimtab.engineapi.EngineException;

/** An API has answered with a status other than that of success. */
final class StatusException extends EngineException {
  private static final long serialVersionUID = 1L;

  private final int status;

  StatusException(String message, int status) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }
}
