package io.trimtab.cli.control;

/**
 * Why nothing is done.
 *
 * @param by who says so: the observation, the policy or the guard
 * @param setting that would change it; empty where none would
 */
record HoldReason(String by, String reason, String setting) {
  String text() {
    return "no plan: "
        + reason
        + " ("
        + by
        + (setting.isEmpty() ? "" : "; setting: " + setting)
        + ")";
  }
}
