package io.trimtab.clikit;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A module's contribution to the command line. Implementations are listed in {@code
 * META-INF/services} and have a public constructor without parameters.
 */
public interface CommandModule {

  /**
   * A command.
   *
   * @param parent the parent commands, separated by blanks; empty for the first level
   * @param position order among its siblings, ascending
   * @param command a class with picocli's {@code @Command}
   */
  record Added(String parent, int position, Class<?> command) {}

  List<Added> commands();

  /** Ways to address a cluster; new objects on each call, because options are parsed into them. */
  default List<ClusterNaming> namings() {
    return List.of();
  }

  /** Options beside those; new objects on each call. */
  default List<ClusterAddition> additions() {
    return List.of();
  }

  /** Reads a configuration file of one kind. */
  interface FileReader {
    /**
     * @param warnings hears one line for each thing that a run with the file would warn of
     * @throws io.trimtab.config.UserError where the file is bad
     */
    Object read(Path file, Consumer<String> warnings);

    /** Of files that are right or wrong, and nothing between. */
    static FileReader strict(Function<Path, Object> reader) {
      return (file, warnings) -> reader.apply(file);
    }
  }

  /** Takes nodes out of service; empty of a module that does not have the control loop. */
  default Optional<NodeService> nodeService() {
    return Optional.empty();
  }

  /** Kinds of files that {@code config check} can read, by name. */
  default Map<String, FileReader> fileKinds() {
    return Map.of();
  }

  /** Lines of {@code --version}. */
  default List<String> versions() {
    return List.of();
  }

  /** Examples for a new user: lines of the help without a command. */
  default List<String> firstSteps() {
    return List.of();
  }
}
