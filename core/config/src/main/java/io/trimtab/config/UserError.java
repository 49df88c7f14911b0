package io.trimtab.config;

import java.util.List;

/**
 * Something that the user can put right. The message is one line that names the file, line and key,
 * or the host; the command ends with exit code 2 and prints no stack trace.
 */
public class UserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UserError(String message) {
    super(message);
  }

  public UserError(String message, Throwable cause) {
    super(message, cause);
  }

  /** Lines that help to understand the message, printed before it: the end of a log, mostly. */
  public List<String> details() {
    return List.of();
  }
}
