package io.trimtab.runtime.ports;

import static org.assertj.core.api.Assertions.assertThat;

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
            NOW, 3, "me (host:1)", "1", "met", SettingsText.of(Settings.defaults()), "run");
    try (Journal journal = files.begin(3, nothing())) {
      journal.append(took);
    }
    assertThat(((Entry.Took) files.acted().get(0)).settings())
        .contains("policy: met", "maxMoves: 500", "followUsers: true", "balancer: hold");
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
        Journal dry = files.dry()) {
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
      try (Journal dry = files.dry()) {
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
    try (Journal next = files.dry()) {
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
