package io.trimtab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What no formatter and no compiler looks after. */
final class TidyTest {
  private static final int COLUMNS_MAX = 100;
  private static final int METHOD_LINES_MAX = 70;
  private static final int CLASS_LINES_MAX = 399;
  private static final int PACKAGE_FILES_MAX = 22;

  /** Written so that this file does not match itself. */
  private static final Pattern HOST_OR_MACHINE_PATH =
      Pattern.compile(
          "repo1?[.]maven|registry[.]npmjs|pypi[.]org|deb[.]debian|proxy[.]golang|crates[.]io"
              + "|(?<![\\w.)}-])/(?:work|farm|root|home/\\w+)/(?!\\*)|/tmp/[w]t/|bash[_]jobs");

  private static final Pattern UNFINISHED =
      Pattern.compile("\\b(?:TO[D]O|FIX[M]E|X[X]X)\\b|@Dis[a]bled|assumeTrue[(]fal[s]e");

  @Test
  void noFileNamesADownloadHostOrAPathOfAMachine() {
    assertThat(matches(Sources.files(), HOST_OR_MACHINE_PATH)).isEmpty();
  }

  @Test
  void nothingIsLeftForLater() {
    assertThat(matches(Sources.files(), UNFINISHED)).isEmpty();
  }

  @Test
  void thePatternsBite(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("bad.txt");
    Files.writeString(
        file,
        String.join("\n", "https://repo" + ".maven.example", "cd /wo" + "rk/main", "// TO" + "DO"));
    assertThat(matches(List.of(file), HOST_OR_MACHINE_PATH)).hasSize(2);
    assertThat(matches(List.of(file), UNFINISHED)).hasSize(1);
  }

  @Test
  void javaLinesFitTheScreen() {
    List<String> tooLong = new ArrayList<>();
    for (Path file : Sources.java()) {
      List<String> lines = Sources.text(file).lines().toList();
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).length() > COLUMNS_MAX && !lines.get(i).startsWith("import ")) {
          tooLong.add(file + ":" + (i + 1));
        }
      }
    }
    assertThat(tooLong).isEmpty();
  }

  @Test
  void methodsFitTheScreen() throws IOException {
    assertThat(longMethods(Sources.java(), METHOD_LINES_MAX)).isEmpty();
  }

  @Test
  void aLongMethodIsFound(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("Long.java");
    Files.writeString(file, "class Long {\n  void run() {\n\n\n\n  }\n  void shorter() {}\n}\n");
    assertThat(longMethods(List.of(file), 4)).singleElement().asString().contains("run");
  }

  @Test
  void filesAndPackagesFitAMind() {
    List<Path> files = Sources.java();
    assertThat(files)
        .as("every module, its main and its test code")
        .anyMatch(
            file -> file.endsWith("core/controller/src/test/java/io/trimtab/controller/Rings.java"))
        .anyMatch(
            file -> file.endsWith("checkout/src/test/java/io/trimtab/architecture/TidyTest.java"));
    assertThat(Sources.modules().keySet())
        .allMatch(
            module -> files.stream().anyMatch(f -> f.startsWith(Sources.root().resolve(module))));
    assertThat(longFiles(files, CLASS_LINES_MAX)).isEmpty();
    assertThat(fullPackages(files, PACKAGE_FILES_MAX)).isEmpty();
  }

  @Test
  void aLongFileAndAFullPackageAreFound(@TempDir Path folder) throws IOException {
    Path longer = folder.resolve("Longer.java");
    Path shorter = folder.resolve("Shorter.java");
    Files.writeString(longer, "class Longer {\n\n\n}\n");
    Files.writeString(shorter, "class Shorter {\n\n}\n");
    List<Path> files = List.of(longer, shorter);

    assertThat(longFiles(files, 3)).containsExactly(longer + ": 4 lines, at most 3");
    assertThat(longFiles(files, 4)).isEmpty();
    assertThat(fullPackages(files, 1)).containsExactly(folder + ": 2 files, at most 1");
    assertThat(fullPackages(files, 2)).isEmpty();
  }

  private static List<String> longFiles(List<Path> files, int linesMax) {
    List<String> tooLong = new ArrayList<>();
    for (Path file : files) {
      long lines = Sources.text(file).lines().count();
      if (lines > linesMax) {
        tooLong.add(file + ": " + lines + " lines, at most " + linesMax);
      }
    }
    return tooLong;
  }

  /** Main and test code of a package are two folders. */
  private static List<String> fullPackages(List<Path> files, int filesMax) {
    Map<Path, Integer> folders = new TreeMap<>();
    files.forEach(file -> folders.merge(file.getParent(), 1, Integer::sum));
    return folders.entrySet().stream()
        .filter(folder -> folder.getValue() > filesMax)
        .map(folder -> folder.getKey() + ": " + folder.getValue() + " files, at most " + filesMax)
        .toList();
  }

  @Test
  void textEndsWithALineEndAndHasNoStraySpace() {
    List<String> untidy = new ArrayList<>();
    for (Path file : Sources.files()) {
      String text = Sources.text(file);
      if (!text.isEmpty() && !text.endsWith("\n") && !recorded(file)) {
        untidy.add(file + ": no line end at its end");
      }
      if (!file.endsWith("LICENSE")
          && !recorded(file)
          && !isPatch(file)
          && text.lines().anyMatch(line -> line.matches(".*[ \t]"))) {
        untidy.add(file + ": space at a line's end");
      }
    }
    assertThat(untidy).isEmpty();
  }

  /** Its unchanged lines begin with a space, the empty ones too. */
  private static boolean isPatch(Path file) {
    return file.toString().endsWith(".patch");
  }

  /** What a program once said is kept as it said it. */
  private static boolean recorded(Path file) {
    return file.toString().contains("/src/test/resources/");
  }

  private static List<String> matches(List<Path> files, Pattern pattern) {
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      List<String> lines = Sources.text(file).lines().toList();
      for (int i = 0; i < lines.size(); i++) {
        Matcher matcher = pattern.matcher(lines.get(i));
        if (matcher.find()) {
          found.add(file + ":" + (i + 1) + ": " + matcher.group());
        }
      }
    }
    return found;
  }

  private static List<String> longMethods(List<Path> files, int linesMax) throws IOException {
    List<String> tooLong = new ArrayList<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(files));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        LineMap lines = unit.getLineMap();
        new TreePathScanner<Void, Void>() {
          @Override
          public Void visitMethod(MethodTree method, Void nothing) {
            long first = lines.getLineNumber(positions.getStartPosition(unit, method));
            long last = lines.getLineNumber(positions.getEndPosition(unit, method));
            if (last - first + 1 > linesMax) {
              tooLong.add(unit.getSourceFile().getName() + ":" + first + ": " + method.getName());
            }
            return super.visitMethod(method, nothing);
          }
        }.scan(unit, null);
      }
    }
    return tooLong;
  }
}
