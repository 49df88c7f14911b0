package io.trimtab.cassandraplugin;

import java.util.function.Consumer;

/** JVM properties that are on or off. */
final class JvmSwitch {
  private JvmSwitch() {}

  /**
   * Whether a property is on; off where it is missing. A node starts and serves whatever it says.
   *
   * @param problem gets a line where it is neither true nor false: it is off then
   */
  static boolean given(String property, Consumer<String> problem) {
    String value = System.getProperty(property, "false").trim();
    boolean on = value.equalsIgnoreCase("true");
    if (!on && !value.equalsIgnoreCase("false")) {
      problem.accept(property + ": must be true or false, not " + value + "; it is off");
    }
    return on;
  }
}
