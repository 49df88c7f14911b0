package io.trimtab.clikit;

import io.trimtab.config.UserError;

/** Shares as people write them: 55% or 0.55. */
public final class Share {
  private Share() {}

  /**
   * Between 0 and 1, neither included.
   *
   * @param option whose value it is, for messages
   */
  public static double parse(String option, String text) {
    String number = text.strip().replaceFirst("%$", "");
    try {
      double share = Double.parseDouble(number) / (text.strip().endsWith("%") ? 100 : 1);
      if (share > 0 && share < 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      throw new UserError(option + " " + text + ": must be a share, as 55% or 0.55", e);
    }
    throw new UserError(option + " " + text + ": must be between 0 and 100%");
  }
}
