package io.trimtab.runtime.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.controller.settings.Settings;
import io.trimtab.formats.SettingsText;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalFilesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path folder;

  private static JournalState nothing() {
    return JournalState.of(Optional.empty(), Optional.empty());
  }

  private List<String> names() throws Exception {
    try (var files = Files.list(folder.resolve("journal"))) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aControllerThatIsInChargeForLongFillsFilesOfBoundedSize() throws Exception {
    JournalFiles files = new JournalFiles(folder, 1_000, 1 << 20);
    List<Entry> written = new ArrayList<>();
    try (Journal journal = files.begin(7, nothing())) {
      for (int i = 0; i < 40; i++) {
        written.add(new Entry.Measured(NOW.plusSeconds(i), "p" + i, 0.5));
        journal.append(written.get(i));
      }
    }

    assertThat(names())
        .hasSizeGreaterThan(2)
        .contains("000007.jsonl", "000007-0001.jsonl", "000007-0002.jsonl");
    for (String name : names()) {
      assertThat(Files.size(folder.resolve("journal").resolve(name))).isLessThan(1_200);
    }
    assertThat(files.acted()).isEqualTo(written);
    assertThat(files.late()).isEmpty();
  }

  @Test
  void filesAreFoundWhateverDigitsTheUsersLanguageHas() throws Exception {
    Locale before = Locale.getDefault();
    JournalFiles files = new JournalFiles(folder, 1, 1 << 20);
    Entry entry = new Entry.Measured(NOW, "p", 0.5);
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG"));
      try (Journal journal = files.begin(7, nothing());
          Journal dry = files.dry(nothing())) {
        for (int i = 0; i < 2; i++) {
          journal.append(entry);
          dry.append(entry);
        }
      }
    } finally {
      Locale.setDefault(before);
    }
    assertThat(names()).containsExactly("000007-0001.jsonl", "000007.jsonl");
    assertThat(files.acted()).containsExactly(entry, entry);
    assertThat(files.dryRun()).containsExactly(entry, entry);
  }

  @Test
  void partsOfAnEarlierEpochComeBeforeTheNextOne() throws Exception {
    JournalFiles files = new JournalFiles(folder, 200, 1 << 20);
    List<Entry> written = new ArrayList<>();
    for (int epoch = 1; epoch <= 2; epoch++) {
      try (Journal journal = files.begin(epoch, nothing())) {
        for (int i = 0; i < 10; i++) {
          Entry entry = new Entry.Measured(NOW.plusSeconds(100 * epoch + i), epoch + "-" + i, 0.5);
          written.add(entry);
          journal.append(entry);
        }
      }
    }
    assertThat(files.acted()).isEqualTo(written);
    assertThat(files.late()).isEmpty();
  }

  @Test
  void whoTookControlIsWrittenWithAllSettings() throws Exception {
    JournalFiles files = new JournalFiles(folder);
    Entry.Took took =
        new Entry.Took(
            NOW, 3, "me (host:1)", "1", "autopilot", SettingsText.of(Settings.defaults()), "run");
    try (Journal journal = files.begin(3, nothing())) {
      journal.append(took);
    }
    assertThat(((Entry.Took) files.acted().get(0)).settings())
        .contains("policy: autopilot", "maxMoves: 500", "followUsers: true", "balancer: hold");
  }

  private Entry.Took took(JournalFiles files, long epoch, int second) {
    return new Entry.Took(NOW.plusSeconds(second), epoch, "me", "1", "met", "", "")
        .noting(files.written(epoch));
  }

  private static Entry measured(int second, String plan) {
    return new Entry.Measured(NOW.plusSeconds(second), plan, 0.5);
  }

  /** Its lines were stamped before it was frozen; the successor's clock is a minute behind. */
  @Test
  void linesAfterASuccessorHasBegunAreLateWhateverTheClocksSay() {
    JournalFiles files = new JournalFiles(folder);
    List<Entry> inTime = new ArrayList<>();
    Journal frozen = files.begin(5, nothing());
    inTime.add(took(files, 5, 100));
    inTime.add(measured(101, "a"));
    inTime.forEach(frozen::append);
    try (Journal successor = files.begin(6, nothing())) {
      Entry.Took took = took(files, 6, 40);
      assertThat(took.earlier()).containsOnlyKeys("000005.jsonl");
      successor.append(took);
      successor.append(measured(41, "b"));
      inTime.add(took);
      inTime.add(measured(41, "b"));
    }
    assertThat(files.late()).isEmpty();

    frozen.append(measured(20, "late"));
    frozen.append(new Entry.ControlLost(NOW.plusSeconds(300), 5, "w"));
    frozen.close();

    assertThat(files.late())
        .containsExactly(measured(20, "late"), new Entry.ControlLost(NOW.plusSeconds(300), 5, "w"));
    assertThat(files.acted()).isEqualTo(inTime);
    assertThat(files.all()).isEqualTo(inTime);
  }

  @Test
  void aPartThatWasBegunLateIsLateAndATornLineHidesNothing() throws Exception {
    JournalFiles files = new JournalFiles(folder, 200, 1 << 20);
    Journal frozen = files.begin(5, nothing());
    frozen.append(measured(1, "a"));
    Path file = folder.resolve("journal/000005.jsonl");
    Files.writeString(file, Files.readString(file) + "{\"type\":\"mea");
    long complete = FileJournalStore.completeBytes(file);
    assertThat(complete).isLessThan(Files.size(file));
    try (Journal successor = files.begin(6, nothing())) {
      assertThat(took(files, 6, 2).earlier()).containsEntry("000005.jsonl", complete);
      successor.append(took(files, 6, 2));
    }
    for (int i = 0; i < 5; i++) {
      frozen.append(measured(0, "late " + i));
    }
    frozen.close();
    assertThat(names()).contains("000005-0001.jsonl");
    assertThat(files.late()).hasSize(5);
    assertThat(files.acted()).hasSize(2);
  }

  /** Earlier versions noted nothing. */
  @Test
  void withoutNotesTheTimesTellWhatIsLate() {
    JournalFiles files = new JournalFiles(folder);
    Journal frozen = files.begin(5, nothing());
    frozen.append(measured(1, "a"));
    try (Journal successor = files.begin(6, nothing())) {
      successor.append(new Entry.Took(NOW.plusSeconds(2), 6, "me", "1", "met", "", ""));
    }
    frozen.append(measured(3, "late"));
    frozen.close();
    try (Journal newer = files.begin(7, nothing())) {
      newer.append(took(files, 7, 4));
    }
    assertThat(files.late()).containsExactly(measured(3, "late"));
    assertThat(files.acted()).hasSize(3).doesNotContain(measured(3, "late"));
  }

  /** It was frozen between taking its epoch and opening its journal. */
  @Test
  void oneThatComesLateDoesNotMoveItsSuccessorsJournalAway() throws Exception {
    JournalFiles files = new JournalFiles(folder);
    try (Journal successor = files.begin(6, nothing())) {
      successor.append(measured(1, "a"));
      assertThatThrownBy(() -> files.begin(5, nothing()))
          .isInstanceOf(UserError.class)
          .hasMessageContaining("000006.jsonl: another controller writes to it")
          .hasMessageContaining("of epoch 5, has lost control");
      successor.append(measured(2, "b"));
    }
    assertThat(names()).containsExactly("000006.jsonl");
    assertThat(files.acted()).containsExactly(measured(1, "a"), measured(2, "b"));

    // With nobody there the cluster has lost its count.
    files.begin(1, nothing()).close();
    assertThat(names()).containsExactly("000001.jsonl");
    assertThat(folder.resolve("journal.before-1/000006.jsonl")).exists();
  }

  @Test
  void eachLineTellsItsEpochAndThoseWithoutAreRead() throws Exception {
    JournalFiles files = new JournalFiles(folder);
    List<Entry> written = List.of(took(files, 7, 0), measured(1, "a"));
    try (Journal journal = files.begin(7, nothing())) {
      written.forEach(journal::append);
    }
    Path file = folder.resolve("journal/000007.jsonl");
    assertThat(Files.readAllLines(file))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).containsOnlyOnce("\"epoch\":7"));
    assertThat(Files.readAllLines(file).get(1)).endsWith(",\"epoch\":7}");
    assertThat(files.acted()).isEqualTo(written);

    Files.writeString(file, Files.readString(file).replace(",\"epoch\":7}", "}"));
    assertThat(files.acted()).isEqualTo(written);
  }

  @Test
  void whoTookControlInAnEarlierVersionIsRead() throws Exception {
    Path old = Files.createDirectories(folder.resolve("journal")).resolve("000002.jsonl");
    Files.writeString(
        old,
        "{\"type\":\"took-control\",\"at\":\"2026-01-01T00:00:00Z\",\"epoch\":2,"
            + "\"owner\":\"me\",\"version\":\"1\",\"policy\":\"met\"}\n");

    assertThat(new JournalFiles(folder).acted())
        .containsExactly(new Entry.Took(NOW, 2, "me", "1", "met", "", ""));
  }

  /** Plans show table names and keys. */
  @Test
  void noOtherUserMayReadAJournal() throws Exception {
    JournalFiles files = new JournalFiles(folder, 200, 1 << 20);
    try (Journal acts = files.begin(1, nothing());
        Journal dry = files.dry(nothing())) {
      for (int i = 0; i < 10; i++) {
        acts.append(new Entry.Measured(NOW.plusSeconds(i), "p" + i, 0.5));
        dry.append(new Entry.Measured(NOW.plusSeconds(i), "d" + i, 0.5));
      }
    }
    try (var all = Files.walk(folder)) {
      List<Path> written = all.filter(Files::isRegularFile).toList();
      assertThat(written).hasSizeGreaterThan(4);
      for (Path file : written) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as("%s", file)
            .isEqualTo("rw-------");
      }
    }
  }

  @Test
  void aDryRunThatGoesOnForLongKeepsItsNewestEntries() throws Exception {
    JournalFiles files = new JournalFiles(folder, 1_000, 5_000);
    for (int run = 0; run < 2; run++) {
      try (Journal dry = files.dry(nothing())) {
        for (int i = 0; i < 200; i++) {
          dry.append(new Entry.Measured(NOW.plusSeconds(i), run + "-" + i, 0.5));
        }
      }
    }

    try (var all = Files.list(folder)) {
      assertThat(all.mapToLong(file -> file.toFile().length()).sum()).isBetween(3_000L, 7_000L);
    }
    assertThat(files.all()).hasSizeGreaterThan(20).last().extracting("planId").isEqualTo("1-199");
    assertThat(files.all()).extracting(Entry::at).isSorted();
    try (Journal next = files.dry(nothing())) {
      assertThat(files.all()).isEmpty();
    }
  }

  @Test
  void theFoldersOfANewJournalAreOnDiskWithIt() throws Exception {
    Path deep = folder.resolve("clusters").resolve("c").resolve("journal");
    List<Path> forced = new ArrayList<>();

    FileJournalStore.makeFolder(deep, forced::add);
    FileJournalStore.makeFolder(deep, forced::add);

    assertThat(deep).isDirectory();
    assertThat(forced)
        .containsExactly(folder, folder.resolve("clusters"), folder.resolve("clusters/c"));
  }
}
