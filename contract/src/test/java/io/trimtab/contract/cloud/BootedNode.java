package io.trimtab.contract.cloud;

import io.trimtab.contract.OtherEngine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.process.JavaCommand;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/** A real node of a lab, on what a provider calls a machine. */
final class BootedNode {
  static final Duration LIMIT = Duration.ofMinutes(5);

  private BootedNode() {}

  /**
   * Starts a new node of a lab, with the files of that lab; the same request gives the same node.
   *
   * @param profile its name; one that is not known is the lab's own
   * @param tokens with commas; empty where the engine chooses
   */
  static NodeId start(Lab lab, String request, String profile, String tokens)
      throws EngineException {
    return lab.provider()
        .add(
            request,
            Profile.STANDARD.stream()
                .filter(each -> each.name().equals(profile))
                .findFirst()
                .orElse(Profile.HOMOGENEOUS),
            Arrays.stream(tokens.split(",")).filter(t -> !t.isBlank()).map(Long::valueOf).toList(),
            LIMIT);
  }

  /**
   * The text of the argument file of a machine's commands, which give {@code java} the second and
   * third of {@link #main}'s arguments after it.
   *
   * @param home of the lab
   */
  static String arguments(Path home, String lab) {
    return JavaCommand.argumentFile(
        List.of(
            "-Dtrimtab.home=" + home,
            "-XX:+UseSerialGC",
            "-Xmx96m",
            "-cp",
            OtherEngine.ownClassPath(),
            BootedNode.class.getName(),
            lab));
  }

  /**
   * What a machine's commands start and stop its node with.
   *
   * @param args name of the lab; {@code start} or {@code stop}; the machine's file of {@code node},
   *     {@code profile} and {@code tokens}
   */
  public static void main(String[] args) throws EngineException, IOException {
    Lab lab = Lab.attach(args[0]);
    Properties told = new Properties();
    try (Reader file = Files.newBufferedReader(Path.of(args[2]))) {
      told.load(file);
    }
    NodeId node = new NodeId(told.getProperty("node"));
    if (args[1].equals("stop")) {
      lab.provider().remove(node, LIMIT);
      return;
    }
    NodeId started =
        start(
            lab,
            "booted/" + node.name(),
            told.getProperty("profile"),
            told.getProperty("tokens", ""));
    if (!started.equals(node)) {
      throw new IllegalStateException("on the machine of " + node + " started " + started);
    }
  }
}
