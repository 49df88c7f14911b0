package io.trimtab.providers.hosts;

import io.trimtab.config.FileProblem;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.providers.ProfileVariables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The files that hosts are given: templates in which {@code ${NAME}} stands for what commands find
 * in their environment under the same name. Other names are left as they are.
 */
record HostFiles(Ssh ssh) {

  /** What templates and commands are told of a node. */
  Map<String, String> variables(String host, Mark mark, Set<NodeId> members) {
    HostsSettings settings = ssh.settings();
    Map<String, String> variables = new TreeMap<>(ProfileVariables.of(mark.profile()));
    variables.put("NODE", settings.node(host).name());
    variables.put("HOST", host);
    variables.put("PORT", String.valueOf(settings.nodePort()));
    variables.put("CLUSTER", mark.cluster());
    variables.put(
        "TOKENS", mark.tokens().stream().map(String::valueOf).collect(Collectors.joining(",")));
    variables.put("DEAD", mark.dead());
    variables.put("NODES", members.stream().map(NodeId::name).collect(Collectors.joining(",")));
    variables.put("NODE_LINES", hosts(members));
    return variables;
  }

  /** One host a line, as HBase's regionservers file has them. */
  private static String hosts(Set<NodeId> members) {
    return members.stream()
        .map(node -> node.name().replaceFirst(":\\d+$", ""))
        .collect(Collectors.joining("\n"));
  }

  /** Installs all files of a node on its host. */
  void install(String host, Mark mark, Set<NodeId> members) throws EngineException {
    Map<String, String> all = new TreeMap<>(ssh.settings().files());
    all.putAll(ssh.settings().peerFiles());
    if (!all.isEmpty()) {
      Script script = new Script();
      write(script, all, variables(host, mark, members));
      ssh.run(host, "install", script.toString(), ssh.settings().limit());
    }
  }

  /**
   * Installs what the other nodes' hosts must know of a node that comes or goes (Konstantinou 2011,
   * §4.2).
   */
  void tellPeers(NodeId node, Set<NodeId> members) throws EngineException {
    HostsSettings settings = ssh.settings();
    if (settings.peerFiles().isEmpty()) {
      return;
    }
    for (String host : settings.hosts()) {
      NodeId peer = settings.node(host);
      if (!peer.equals(node) && members.contains(peer)) {
        Map<String, String> variables = new TreeMap<>();
        variables.put("NODE", peer.name());
        variables.put("HOST", host);
        variables.put("NODES", members.stream().map(NodeId::name).collect(Collectors.joining(",")));
        variables.put("NODE_LINES", hosts(members));
        Script script = Script.with(variables);
        write(script, settings.peerFiles(), variables);
        if (settings.reload() != null) {
          script.command(settings.reload());
        }
        ssh.run(host, "install for peers", script.toString(), settings.limit());
      }
    }
  }

  private static void write(Script script, Map<String, String> files, Map<String, String> values)
      throws EngineException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      String text;
      try {
        text = Files.readString(Path.of(file.getValue()));
      } catch (IOException e) {
        throw new EngineException(file.getValue() + ": can't be read: " + FileProblem.of(e), e);
      }
      for (Map.Entry<String, String> value : values.entrySet()) {
        text = text.replace("${" + value.getKey() + "}", value.getValue());
      }
      script.install(file.getKey(), text);
    }
  }

  /** The host is free: its mark becomes a note that the data were moved away. */
  Script clear(Script script) {
    String file = Script.quoted(HostLook.markFile(ssh.settings()));
    String cleared = Script.quoted(HostLook.clearedFile(ssh.settings()));
    return script
        .line("mkdir -p " + Script.quoted(ssh.settings().folder()) + " || exit 1")
        .line("if test -e " + file + "; then mv -f " + file + " " + cleared)
        .line("else : > " + cleared + "; fi || exit 1");
  }

  /** Replaces a host's mark. */
  Script mark(Script script, Mark mark) {
    String file = Script.quoted(HostLook.markFile(ssh.settings()));
    String fresh = Script.quoted(HostLook.markFile(ssh.settings()) + ".new");
    return script
        .line("mkdir -p " + Script.quoted(ssh.settings().folder()) + " || exit 1")
        .line("printf '%s\\n' " + Script.quoted(mark.text()) + " > " + fresh + " || exit 1")
        .line("mv " + fresh + " " + file + " || exit 1");
  }
}
