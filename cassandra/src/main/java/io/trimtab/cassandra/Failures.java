package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import java.util.List;

/** What went wrong, in a line. */
final class Failures {
  private Failures() {}

  /**
   * An exception's first line; of one that stands for several nodes' failures, the first node's.
   */
  static String line(Throwable e) {
    Throwable cause = e;
    while (true) {
      if (cause instanceof AllNodesFailedException all && !all.getAllErrors().isEmpty()) {
        List<Throwable> first = all.getAllErrors().values().iterator().next();
        cause = first.isEmpty() ? null : first.get(0);
        if (cause == null) {
          return "no node answers";
        }
      } else if (blank(cause) && cause.getCause() != null) {
        cause = cause.getCause();
      } else {
        break;
      }
    }
    if (blank(cause)) {
      return cause.getClass().getSimpleName();
    }
    return cause.getMessage().strip().split("\n", 2)[0].strip();
  }

  private static boolean blank(Throwable e) {
    return e.getMessage() == null || e.getMessage().isBlank();
  }
}
