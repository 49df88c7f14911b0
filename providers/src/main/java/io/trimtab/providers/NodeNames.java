package io.trimtab.providers;

import io.trimtab.engineapi.NodeId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of nodes as programs and people give them. */
public final class NodeNames {
  private static final int PORT_MAX = 65_535;

  /** A host's name, or an address, in brackets if it has colons itself. */
  private static final Pattern NAME =
      Pattern.compile("([A-Za-z0-9][A-Za-z0-9._-]{0,252}|\\[[0-9A-Fa-f:.]+\\]):(\\d{1,5})");

  private NodeNames() {}

  /**
   * A node of the form {@code host:port}.
   *
   * @throws IllegalArgumentException if it is of another form
   */
  public static NodeId parse(String text) {
    Matcher name = NAME.matcher(text);
    if (!name.matches() || !port(name.group(2))) {
      throw new IllegalArgumentException("'" + text + "' is no node; one is given as host:port");
    }
    return new NodeId(text);
  }

  private static boolean port(String digits) {
    int port = Integer.parseInt(digits);
    return port > 0 && port <= PORT_MAX;
  }
}
