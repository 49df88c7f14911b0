package io.trimtab.lab.cluster;

import io.trimtab.config.UserError;
import java.util.List;

/** A process of a lab did not come up; everything that was started has been taken down again. */
public final class LabStartException extends UserError {
  private static final long serialVersionUID = 1L;

  private final transient List<String> logTail;

  LabStartException(String message, List<String> logTail) {
    super(message);
    this.logTail = List.copyOf(logTail);
  }

  /** The last lines of the failing process's log. */
  @Override
  public List<String> details() {
    return logTail == null ? List.of() : logTail;
  }
}
