package io.trimtab.providers;

import io.trimtab.config.FileProblem;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** What a provider knows of the cluster that it serves. Thread-safe. */
public final class ProviderContext {

  /** Looks at the cluster. */
  @FunctionalInterface
  public interface Look {
    ClusterSnapshot now() throws EngineException;
  }

  /**
   * The words of the cluster's database.
   *
   * @param node what a node is called: {@code RegionServer}
   * @param settings the lines of a node's configuration that make a profile, by key
   */
  public record Words(String node, Function<Profile, Map<String, String>> settings) {
    /** Of a database of which nothing else is known. */
    public static final Words PLAIN = new Words("node", profile -> Map.of());

    /** A profile for a person: its name and, if known, its settings. */
    public String text(Profile profile) {
      StringBuilder text = new StringBuilder("profile " + profile.name());
      String before = ": ";
      for (Map.Entry<String, String> setting : new TreeMap<>(settings.apply(profile)).entrySet()) {
        text.append(before).append(setting.getKey()).append(" = ").append(setting.getValue());
        before = ", ";
      }
      return text.toString();
    }
  }

  private final Look look;
  private final Words words;
  private final Function<String, Path> folders;
  private final Consumer<String> notices;
  private String clusterId;

  /**
   * @param folders the folder in which a cluster's controller keeps its state, by the cluster's id
   * @param notices hears what a person has to do, one line each
   */
  public ProviderContext(
      Look look, Words words, Function<String, Path> folders, Consumer<String> notices) {
    this.look = look;
    this.words = words;
    this.folders = folders;
    this.notices = notices;
  }

  /**
   * Of a cluster whose machines have an id before anybody can ask it: a machine that has stopped is
   * found, and started, although nobody answers.
   */
  public ProviderContext knownAs(String id) {
    synchronized (this) {
      clusterId = id;
    }
    return this;
  }

  public Words words() {
    return words;
  }

  /** The cluster as it is now. */
  public ClusterSnapshot look() throws EngineException {
    ClusterSnapshot now = look.now();
    synchronized (this) {
      clusterId = now.clusterId();
    }
    return now;
  }

  /** The live nodes, with their incarnations. */
  public SortedMap<NodeId, Long> alive() throws EngineException {
    SortedMap<NodeId, Long> alive = new TreeMap<>();
    look().nodes().stream()
        .filter(NodeState::alive)
        .forEach(node -> alive.put(node.id(), node.incarnation()));
    return alive;
  }

  /**
   * That a node may be replaced.
   *
   * @throws EngineException if it is alive
   */
  public void requireDead(NodeId node) throws EngineException {
    requireDead(node, look());
  }

  /** The same of the cluster as it was seen. */
  public static void requireDead(NodeId node, ClusterSnapshot seen) throws EngineException {
    if (seen.node(node).filter(NodeState::alive).isPresent()) {
      throw new EngineException("node " + node + " is still running and can't be replaced");
    }
  }

  /** The cluster's own id, by which its machines are marked. */
  public String clusterId() throws EngineException {
    synchronized (this) {
      if (clusterId != null) {
        return clusterId;
      }
    }
    return look().clusterId();
  }

  /** The folder for what a provider has to remember of the cluster; only this user can read it. */
  public Path folder() throws EngineException {
    return made(place());
  }

  /** The same, which may not be there yet: whoever only reads makes none. */
  public Path place() throws EngineException {
    return folder(folders.apply(clusterId()));
  }

  /** The same, in the folder of a cluster's controller. */
  public static Path folder(Path ofController) {
    return ofController.resolve("provider");
  }

  /** Makes such a folder, unless it is there. */
  public static Path made(Path folder) throws EngineException {
    try {
      Files.createDirectories(folder.toAbsolutePath().getParent());
      if (!Files.isDirectory(folder)) {
        Files.createDirectory(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      return folder;
    } catch (IOException e) {
      throw new EngineException(folder + ": can't be created: " + FileProblem.of(e), e);
    }
  }

  /** Tells a person what to do, in one line. */
  public void tell(String line) {
    notices.accept(line);
  }
}
