package io.trimtab.providers.hosts;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/** Shell scripts for hosts, for any POSIX shell. */
final class Script {
  private final StringBuilder text = new StringBuilder();

  /** With variables that commands find in their environment. */
  static Script with(Map<String, String> variables) {
    Script script = new Script();
    new TreeMap<>(variables)
        .forEach((name, value) -> script.line("export " + name + "=" + quoted(value)));
    return script;
  }

  /** Text as one word of a shell. */
  static String quoted(String value) {
    return "'" + value.replace("'", "'\\''") + "'";
  }

  Script line(String line) {
    text.append(line).append('\n');
    return this;
  }

  /**
   * An operator's command; the script ends with its exit code if that is not 0, and with 254 for
   * 255, which ssh keeps for itself. What it says goes to a file first: a service that it leaves in
   * the background would keep the connection open until it ends.
   */
  Script command(String command) {
    return line("said=$(mktemp) || exit 1")
        .line("( " + command + "\n) </dev/null >\"$said\" 2>&1")
        .line("code=$?; tail -c 2000 \"$said\" >&2; rm -f \"$said\"")
        .line("test $code -ne 255 || code=254")
        .line("test $code -eq 0 || exit $code");
  }

  /** Writes a file; the owner and mode of one that is there stay as they are. */
  Script install(String path, String content) {
    String coded = Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8));
    String fresh = quoted(path + ".trimtab-new");
    return line("printf %s " + quoted(coded) + " | base64 -d > " + fresh + " || exit 1")
        .line("if test -e " + quoted(path) + "; then cat " + fresh + " > " + quoted(path))
        .line("else mv " + fresh + " " + quoted(path) + "; fi || exit 1")
        .line("rm -f " + fresh);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
