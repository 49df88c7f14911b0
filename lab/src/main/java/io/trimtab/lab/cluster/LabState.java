package io.trimtab.lab.cluster;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.trimtab.config.Bytes;
import io.trimtab.config.FileProblem;
import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import io.trimtab.config.WholeFile;
import io.trimtab.engineapi.Profile;
import io.trimtab.lab.setup.ProfileDeserializer;
import io.trimtab.lab.slot.LabSlot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a lab is made of; the file is on disk before the processes that it names are started.
 *
 * @param slot the lab's addresses and ports, see {@link LabSlot}
 * @param owner whether it outlives its starter
 * @param ready whether it came up
 * @param isolated whether nodes have control groups
 * @param isolation in words: how nodes are isolated, or why not
 * @param limited whether the nodes' limits on CPU and disk are in force, where they are isolated
 * @param lastIndex the highest node index ever given; indexes are not used again
 * @param nodes present nodes
 */
public record LabState(
    LabConfig config,
    int slot,
    Owner owner,
    boolean ready,
    boolean isolated,
    String isolation,
    boolean limited,
    int lastIndex,
    List<Node> nodes) {

  /**
   * A node.
   *
   * @param profile that its next start uses
   * @param requestId that it was added for; empty for a node of the lab's start
   * @param replaces the index of the dead node whose place it took; 0 for none
   * @param tokens of a ring that it was given; none where the engine chooses
   */
  public record Node(
      int index,
      @JsonDeserialize(using = ProfileDeserializer.class) Profile profile,
      @JsonProperty("wish") String requestId,
      int replaces,
      List<Long> tokens) {
    public Node {
      requestId = requestId == null ? "" : requestId;
      tokens = tokens == null ? List.of() : List.copyOf(tokens);
    }

    public Node(int index, Profile profile) {
      this(index, profile, "", 0, List.of());
    }

    public Node with(Profile another) {
      return new Node(index, another, requestId, replaces, tokens);
    }

    public String name() {
      return "n" + index;
    }

    public String dataNode() {
      return name() + "-datanode";
    }

    public String regionServer() {
      return name() + "-regionserver";
    }

    public String cassandra() {
      return name() + "-cassandra";
    }
  }

  private static final JsonMapper WRITER =
      JsonMapper.builder().addModule(new SimpleModule().addSerializer(new BytesText())).build();

  public LabState {
    nodes = List.copyOf(nodes);
  }

  @JsonIgnore
  public LabSlot addresses() {
    return new LabSlot(slot);
  }

  /** Where bucket caches are kept: in memory, which counts for the node that fills it. */
  public Path memory() {
    return LabDir.SHARED_MEMORY.resolve("trimtab-" + config.name() + "-s" + slot);
  }

  public Optional<Node> node(int index) {
    return nodes.stream().filter(n -> n.index == index).findFirst();
  }

  LabState withReady() {
    return new LabState(config, slot, owner, true, isolated, isolation, limited, lastIndex, nodes);
  }

  LabState withLimited(boolean value) {
    return new LabState(config, slot, owner, ready, isolated, isolation, value, lastIndex, nodes);
  }

  /** Nodes that start from now on find another configuration. */
  public LabState with(LabConfig another) {
    return new LabState(
        another, slot, owner, ready, isolated, isolation, limited, lastIndex, nodes);
  }

  public LabState withNode(Node node) {
    List<Node> all = new ArrayList<>(without(node.index).nodes);
    all.add(node);
    all.sort(java.util.Comparator.comparingInt(Node::index));
    return new LabState(
        config,
        slot,
        owner,
        ready,
        isolated,
        isolation,
        limited,
        Math.max(lastIndex, node.index),
        all);
  }

  public LabState without(int index) {
    return new LabState(
        config,
        slot,
        owner,
        ready,
        isolated,
        isolation,
        limited,
        lastIndex,
        nodes.stream().filter(n -> n.index != index).toList());
  }

  static Optional<LabState> read(Path file) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    return Optional.of(StrictYaml.read(file, LabState.class));
  }

  /** Writes the file, as {@link WholeFile#replace} does. */
  void write(Path file) {
    try {
      String text = WRITER.writerWithDefaultPrettyPrinter().writeValueAsString(this);
      WholeFile.replace(file, text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UserError(file + ": can't be written: " + FileProblem.of(e), e);
    }
  }

  private static final class BytesText extends StdSerializer<Bytes> {
    private static final long serialVersionUID = 1L;

    BytesText() {
      super(Bytes.class);
    }

    @Override
    public void serialize(Bytes value, JsonGenerator to, SerializerProvider provider)
        throws IOException {
      to.writeString(value.toString());
    }
  }
}
