package io.trimtab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.Commands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Documents that drift from the code mislead; what can be checked is checked. */
final class DocumentsTest {
  private static final Path ROOT = Sources.root();
  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]+)\\)");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern COMMAND = Pattern.compile("(?m)^\\./trimtab (.+)$");
  private static final Pattern CLASS = Pattern.compile("`(io\\.trimtab\\.[a-z.]+\\.[A-Z]\\w+)`");

  @Test
  void everyLinkLeadsSomewhere() {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      Matcher link = LINK.matcher(Sources.text(document));
      while (link.find()) {
        if (!Files.exists(document.resolveSibling(link.group(1)))) {
          broken.add(document + ": " + link.group(1));
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void everyModuleIsInTheTable() {
    String architecture = Sources.text(ROOT.resolve("ARCHITECTURE.md"));
    Matcher module = MODULE.matcher(Sources.text(ROOT.resolve("pom.xml")));
    List<String> modules = module.results().map(m -> m.group(1).replaceFirst(".*/", "")).toList();
    assertThat(modules).isNotEmpty();
    assertThat(modules).allSatisfy(m -> assertThat(architecture).contains("| `" + m + "` |"));
  }

  @Test
  void everyClassThatADocumentNamesExists() {
    List<String> sources = Sources.java().stream().map(Path::toString).toList();
    List<String> missing = new ArrayList<>();
    for (Path document : documents()) {
      Matcher name = CLASS.matcher(Sources.text(document));
      while (name.find()) {
        String file = "/" + name.group(1).replace('.', '/') + ".java";
        if (sources.stream().noneMatch(source -> source.endsWith(file))) {
          missing.add(document + ": " + name.group(1));
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void everyDecisionIsInTheIndex() {
    Path folder = ROOT.resolve("docs").resolve("decisions");
    String index = Sources.text(folder.resolve("README.md"));
    List<String> decisions =
        documents().stream()
            .filter(document -> document.startsWith(folder))
            .map(document -> document.getFileName().toString())
            .filter(name -> !name.equals("README.md"))
            .toList();
    assertThat(decisions).hasSizeGreaterThan(2);
    assertThat(decisions).allSatisfy(name -> assertThat(index).contains("](" + name + ")"));
  }

  @Test
  void everyCommandOfADocumentCanBeParsed() {
    List<String> wrong = new ArrayList<>();
    int checked = 0;
    for (Path document : documents()) {
      Matcher command = COMMAND.matcher(Sources.text(document));
      while (command.find()) {
        String[] words = command.group(1).replaceFirst("\\s#.*", "").strip().split("\\s+");
        // The launcher's own.
        if (!List.of("test", "bench", "defects").contains(words[0]) && !Commands.parse(words)) {
          wrong.add(document + ": " + command.group());
        }
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(15);
    assertThat(wrong).isEmpty();
  }

  private static final Pattern TITLE = Pattern.compile("# (\\d{4}): (\\S.*)");

  /** One style, so that the index can be read as a list of the headings. */
  @Test
  void decisionsHaveOneStyleOfHeadingAndTheIndexIsTheListOfThem() {
    Path folder = ROOT.resolve("docs").resolve("decisions");
    List<String> rows = new ArrayList<>();
    for (Path decision : documents()) {
      String name = decision.getFileName().toString();
      if (!decision.startsWith(folder) || name.equals("README.md")) {
        continue;
      }
      String text = Sources.text(decision);
      Matcher title = TITLE.matcher(text.lines().findFirst().orElse(""));
      assertThat(title.matches()).as(name + " begins with '# NNNN: Title'").isTrue();
      assertThat(name).startsWith(title.group(1) + "-");
      assertThat(text).as(name).contains("**Needed.**", "**Chosen.**");
      rows.add("| [%s](%s) | %s |".formatted(title.group(1), name, title.group(2)));
    }
    assertThat(rows).hasSizeGreaterThan(2);
    assertThat(Sources.text(folder.resolve("README.md")).lines())
        .filteredOn(line -> line.startsWith("| ["))
        .containsExactlyElementsOf(rows.stream().sorted().toList());
  }

  private static List<Path> documents() {
    return Sources.files().stream().filter(file -> file.toString().endsWith(".md")).toList();
  }
}
