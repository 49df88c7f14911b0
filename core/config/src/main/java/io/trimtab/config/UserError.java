package io.trimtab.config;

import java.util.List;

/**
 * An error that the user can fix, in the input or the environment. The message is one line that
 * names the file, line and key, or the host; the command ends with exit code 2 and prints no stack
 * trace.
 */
public class UserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UserError(String message) {
    super(message);
  }

  public UserError(String message, Throwable cause) {
    super(message, cause);
  }

  /** Additional lines printed before the message, usually the end of a log. */
  public List<String> details() {
    return List.of();
  }
}
