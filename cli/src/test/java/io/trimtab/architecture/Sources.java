package io.trimtab.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The repository's own text files. */
public final class Sources {
  private static final Set<String> PRUNED =
      Set.of("target", ".git", ".idea", ".vscode", ".trimtab", "trimtab-demo");
  private static final Set<String> BINARY = Set.of(".png", ".jar");

  private static final Pattern MAIN_SOURCE =
      Pattern.compile("(.+)/src/main/java/io/trimtab/(\\w+)/.*");

  private Sources() {}

  /** The repository's root: the nearest folder above that has the launcher. */
  public static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("trimtab"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("this test does not run inside the repository");
      }
    }
    return folder;
  }

  /** All text files, by path. */
  static List<Path> files() {
    List<Path> files = new ArrayList<>();
    try {
      Files.walkFileTree(
          root(),
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              return PRUNED.contains(String.valueOf(folder.getFileName()))
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              String name = file.getFileName().toString();
              if (attributes.isRegularFile()
                  && !name.equals(".git")
                  && !name.endsWith(".log")
                  && BINARY.stream().noneMatch(name::endsWith)) {
                files.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    files.sort(null);
    return files;
  }

  static List<Path> java() {
    return files().stream().filter(file -> file.toString().endsWith(".java")).toList();
  }

  public static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }

  /**
   * Modules with sources that are not benchmarks or tests of others: by folder, with the last part
   * of their package.
   */
  static Map<String, String> modules() {
    Map<String, String> modules = new TreeMap<>();
    for (Path file : java()) {
      Matcher folder = MAIN_SOURCE.matcher(root().relativize(file).toString());
      if (folder.matches() && !folder.group(1).equals("bench")) {
        modules.put(folder.group(1), folder.group(2));
      }
    }
    return modules;
  }

  /** Names of a class path's jars; a module is called by its name there. */
  static List<String> jars(Path classpath) {
    return Arrays.stream(text(classpath).strip().split(":"))
        .map(
            entry ->
                entry.endsWith("/target/classes")
                    ? Path.of(entry).getParent().getParent().getFileName().toString()
                    : Path.of(entry).getFileName().toString())
        .toList();
  }
}
