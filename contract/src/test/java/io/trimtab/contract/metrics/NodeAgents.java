package io.trimtab.contract.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.sources.MetricSources;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Java agents that operators put into their nodes, loaded into a lab's node while it runs. */
final class NodeAgents {
  static final String JMX_EXPORTER = "jmx-exporter.jar";
  static final String JOLOKIA = "jolokia.jar";

  /** Where the build's profile {@code exporters} puts them. */
  private static final Path JARS = Path.of("target", "exporters").toAbsolutePath();

  private NodeAgents() {}

  /**
   * Loads an agent, as {@code -javaagent:JAR=OPTIONS} would.
   *
   * @param process kind of the node's process, see {@link LabNode#pids}
   */
  static void load(LabNode node, String process, String jar, String options) throws Exception {
    Path agent = JARS.resolve(jar);
    assertThat(agent).as("run ./trimtab test --prometheus, which fetches it").exists();
    VirtualMachine jvm = VirtualMachine.attach(Long.toString(node.pid(process).orElseThrow()));
    try {
      jvm.loadAgent(agent.toString(), options);
    } finally {
      jvm.detach();
    }
  }

  /** The exporter's rules that are shipped for a database, as a file in a folder. */
  static Path rules(String database, Path folder) throws IOException {
    String name = "jmx-exporter-" + database + ".yaml";
    try (InputStream in = MetricSources.class.getResourceAsStream(name)) {
      assertThat(in).as(name).isNotNull();
      return Files.write(folder.resolve(name), in.readAllBytes());
    }
  }
}
