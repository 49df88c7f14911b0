package io.trimtab.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.runtime.ports.JournalFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal of the first release, as it was written on a real cluster, is read for good. */
final class RecordedJournalTest {
  @Test
  void everyLineIsReadAndWouldBeWrittenAlike(@TempDir Path folder) throws Exception {
    Path source = Path.of(RecordedJournalTest.class.getResource("/recorded/journal.jsonl").toURI());
    Files.copy(source, folder.resolve("journal.jsonl"));
    List<String> lines = Files.readAllLines(source);
    List<Entry> entries = new JournalFiles(folder).all();
    assertThat(entries).hasSameSizeAs(lines);
    assertThat(entries.get(0)).isInstanceOf(Entry.PlanStarted.class);
    assertThat(entries.get(entries.size() - 1)).isInstanceOf(Entry.PlanEnded.class);
    for (int i = 0; i < lines.size(); i++) {
      assertThat(EntryJson.MAPPER.writerFor(Entry.class).writeValueAsString(entries.get(i)))
          .isEqualTo(lines.get(i));
    }
  }
}
