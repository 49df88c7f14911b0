package io.trimtab.clikit;

import io.trimtab.config.UserError;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.CommandSpec;

/** The modules on the class path, and the command line composed of them. */
public final class CommandModules {
  private CommandModules() {}

  static Stream<CommandModule> all() {
    // By name: the order of the class path must not change the help.
    return ServiceLoader.load(CommandModule.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(module -> module.getClass().getName()));
  }

  /** Adds every module's commands and ways to address a cluster. */
  public static void addTo(CommandLine root, IFactory factory) {
    List<CommandModule.Added> commands =
        all()
            .flatMap(module -> module.commands().stream())
            .sorted(
                Comparator.comparingInt((CommandModule.Added added) -> depth(added.parent()))
                    .thenComparingInt(CommandModule.Added::position))
            .toList();
    for (CommandModule.Added added : commands) {
      find(root, added.parent()).addSubcommand(new CommandLine(added.command(), factory));
    }
    nameClusters(root);
  }

  private static int depth(String parent) {
    return parent.isEmpty() ? 0 : parent.split(" ").length;
  }

  private static CommandLine find(CommandLine root, String path) {
    CommandLine found = root;
    for (String name : path.isEmpty() ? new String[0] : path.split(" ")) {
      found = found.getSubcommands().get(name);
      if (found == null) {
        throw new IllegalStateException("no module has the command " + path);
      }
    }
    return found;
  }

  private static void nameClusters(CommandLine line) {
    Stream.of(line.getCommandSpec())
        .flatMap(CommandModules::mixins)
        .map(CommandSpec::userObject)
        .filter(ClusterChoice.class::isInstance)
        .map(ClusterChoice.class::cast)
        .toList()
        .forEach(choice -> choice.addOptions(line.getCommandSpec()));
    line.getSubcommands().values().forEach(CommandModules::nameClusters);
  }

  /** A command's mixins, recursively. */
  private static Stream<CommandSpec> mixins(CommandSpec spec) {
    return spec.mixins().values().stream()
        .flatMap(mixin -> Stream.concat(Stream.of(mixin), mixins(mixin)));
  }

  /** Kinds of files that {@code config check} can read. */
  public static Map<String, CommandModule.FileReader> fileKinds() {
    Map<String, CommandModule.FileReader> kinds = new TreeMap<>();
    all().forEach(module -> kinds.putAll(module.fileKinds()));
    return kinds;
  }

  /**
   * Takes nodes out of service.
   *
   * @throws UserError if no module on the class path can
   */
  public static NodeService nodeService() {
    return all()
        .flatMap(module -> module.nodeService().stream())
        .findFirst()
        .orElseThrow(() -> new UserError("this program can't take nodes out of service"));
  }

  public static List<String> versions() {
    return all().flatMap(module -> module.versions().stream()).toList();
  }

  public static List<String> firstSteps() {
    return all().flatMap(module -> module.firstSteps().stream()).toList();
  }
}
