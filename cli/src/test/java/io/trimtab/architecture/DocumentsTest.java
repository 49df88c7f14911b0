package io.trimtab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

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
    List<String> modules = module.results().map(m -> m.group(1)).toList();
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

  private static List<Path> documents() {
    return Sources.files().stream().filter(file -> file.toString().endsWith(".md")).toList();
  }
}
