package io.trimtab.formats;

import io.trimtab.config.PrivateFiles;
import io.trimtab.config.UserError;
import io.trimtab.controller.observe.LoadRecord;
import java.nio.file.Path;

/**
 * A {@link LoadRecord} as JSON: what requests cost, and what tables were asked for in the last
 * weeks.
 */
public final class LoadRecordFile {
  private LoadRecordFile() {}

  /**
   * Reads a record.
   *
   * @throws UserError naming the file, if it is missing, not a record, or of another schema
   */
  public static LoadRecord read(Path file) {
    LoadRecord.Kept kept = JsonFile.read(file, LoadRecord.Kept.class, "a record of load");
    try {
      return LoadRecord.of(kept);
    } catch (IllegalArgumentException e) {
      throw new UserError(file + ": not a record of load: " + e.getMessage(), e);
    }
  }

  /**
   * Writes the file atomically, for its user only; not before the first snapshot, when there is
   * nothing to keep.
   */
  public static void write(Path file, LoadRecord record) {
    record.kept().ifPresent(kept -> JsonFile.write(file, kept, PrivateFiles.ATTRIBUTE));
  }
}
