package io.trimtab.providers.hosts;

import io.trimtab.engineapi.EngineException;
import io.trimtab.providers.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs scripts on hosts with the system's {@code ssh}. A script comes through standard input, so
 * that no login shell interprets it, and no process list shows it.
 */
record Ssh(HostsSettings settings) {
  /** Of ssh itself: no connection, or one to a host whose key is not the known one. */
  private static final int NO_CONNECTION = 255;

  /** A host was not reached, or lost while the script ran: how far that came is not known. */
  static final class NotReachedException extends EngineException {
    private static final long serialVersionUID = 1L;

    NotReachedException(String message) {
      super(message);
    }
  }

  /**
   * What a script wrote to its standard output.
   *
   * @param what it does, for messages
   * @throws NotReachedException if there is no connection, it is lost before the script ends, the
   *     host's key is wrong, or the user may not log in
   */
  String run(String host, String what, String script, Duration limit) throws EngineException {
    String title = "host " + host + ", " + what;
    Command.Result result = Command.run(title, command(host), script, limit);
    if (result.code() == NO_CONNECTION) {
      // ssh is silent about a host that has stopped answering.
      String why = result.lastWords().isEmpty() ? ": the host does not answer" : result.lastWords();
      throw new NotReachedException(title + ": ssh has no connection" + why);
    }
    if (result.code() != 0) {
      throw new EngineException(
          title + ": failed with exit code " + result.code() + result.lastWords());
    }
    return result.out();
  }

  private List<String> command(String host) {
    List<String> command = new ArrayList<>(List.of(settings.ssh()));
    for (String option :
        List.of(
            "BatchMode=yes",
            "StrictHostKeyChecking=yes",
            "UserKnownHostsFile=" + settings.knownHosts(),
            "ConnectTimeout=10",
            "ServerAliveInterval=5",
            "ServerAliveCountMax=3",
            "ClearAllForwardings=yes",
            "LogLevel=ERROR",
            "Port=" + settings.sshPort())) {
      command.add("-o");
      command.add(option);
    }
    if (settings.user() != null) {
      command.addAll(List.of("-l", settings.user()));
    }
    if (settings.key() != null) {
      command.addAll(List.of("-o", "IdentitiesOnly=yes", "-i", settings.key()));
    }
    // An address with colons is in brackets in the names of nodes, and in no others.
    command.addAll(List.of("--", host.replaceAll("[\\[\\]]", ""), "exec sh -s"));
    return command;
  }
}
