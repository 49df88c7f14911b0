package io.trimtab.runtime.ports;

import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A cluster's journal files: one for each epoch, which only the controller of that epoch writes to,
 * so that one that lost control without noticing can't spoil the lines of its successor. A file of
 * an earlier version, which had no epochs, comes first.
 */
public final class JournalFiles {
  /** Of versions without epochs. */
  private static final String OLD = "journal.jsonl";

  private static final String DRY = "dry";
  private static final String FOLDER = "journal";
  private static final String END = ".jsonl";

  /** Bounds of what is kept; the newest file is never deleted. */
  private static final int FILES_MAX = 200;

  private static final long BYTES_MAX = 256L << 20;

  /** A file of an epoch is not made longer than this and one line. */
  private static final long PART_BYTES_MAX = 16L << 20;

  /** The first file of an epoch has no part. */
  private static final Pattern NAME = Pattern.compile("(\\d{1,18})(?:-(\\d{1,9}))?");

  private static final Pattern DRY_NAME = Pattern.compile(DRY + "(?:-(\\d{1,9}))?\\" + END);

  private final Path folder;
  private final long partBytesMax;
  private final long bytesMax;

  public JournalFiles(Path folder) {
    this(folder, PART_BYTES_MAX, BYTES_MAX);
  }

  /**
   * @param partBytesMax size after which a journal goes on in another file
   * @param bytesMax size of all files above which the oldest are deleted
   */
  JournalFiles(Path folder, long partBytesMax, long bytesMax) {
    this.folder = folder;
    this.bytesMax = bytesMax;
    this.partBytesMax = partBytesMax;
  }

  private record EpochFile(long epoch, int part, Path path) {
    String name() {
      return path.getFileName().toString();
    }

    List<Entry> entries() {
      return Journal.read(FileJournalStore.reading(path));
    }
  }

  /** The files of all epochs, the oldest first; 0 is that of an earlier version. */
  private List<EpochFile> files() {
    List<EpochFile> files = new ArrayList<>();
    if (Files.exists(folder.resolve(OLD))) {
      files.add(new EpochFile(0, 0, folder.resolve(OLD)));
    }
    Path epochs = folder.resolve(FOLDER);
    if (Files.isDirectory(epochs)) {
      try (Stream<Path> found = Files.list(epochs)) {
        found
            .flatMap(path -> file(path).stream())
            .sorted(Comparator.comparing(EpochFile::epoch).thenComparing(EpochFile::part))
            .forEach(files::add);
      } catch (IOException e) {
        throw new UserError(epochs + ": can't be read: " + FileProblem.of(e), e);
      }
    }
    return files;
  }

  private static Optional<EpochFile> file(Path path) {
    String name = path.getFileName().toString();
    Matcher found =
        NAME.matcher(name.endsWith(END) ? name.substring(0, name.length() - END.length()) : "");
    return found.matches()
        ? Optional.of(
            new EpochFile(
                Long.parseLong(found.group(1)),
                found.group(2) == null ? 0 : Integer.parseInt(found.group(2)),
                path))
        : Optional.empty();
  }

  /**
   * The journal of a new epoch.
   *
   * @throws UserError if a controller of a later epoch is writing here: this one has lost control
   */
  Journal begin(long epoch, JournalState known) {
    List<EpochFile> files = files();
    List<EpochFile> newer = files.stream().filter(f -> f.epoch() >= epoch).toList();
    for (EpochFile file : newer) {
      if (FileJournalStore.isOpen(file.path())) {
        throw new UserError(
            "%s: another controller writes to it; this one, of epoch %d, has lost control"
                .formatted(file.path(), epoch));
      }
    }
    if (!newer.isEmpty()) {
      setAside();
    }
    prune(files);
    JournalStore store =
        new EpochJournalStore(part -> path(epoch, part), partBytesMax, () -> prune(files()));
    return new Journal(store, known, epoch);
  }

  private Path path(long epoch, int part) {
    String form = part == 0 ? "%06d" : "%06d-%04d";
    // Whatever digits the user's language has: files are found by these names.
    String name = String.format(Locale.ROOT, form, epoch, part);
    return folder.resolve(FOLDER).resolve(name + END);
  }

  /** The cluster has lost its count of epochs, so that the files would be read in a wrong order. */
  private void setAside() {
    Path epochs = folder.resolve(FOLDER);
    try {
      for (int i = 1; ; i++) {
        Path aside = folder.resolve(FOLDER + ".before-" + i);
        if (!Files.exists(aside)) {
          Files.move(epochs, aside);
          return;
        }
      }
    } catch (IOException e) {
      throw new UserError(epochs + ": can't be moved away: " + FileProblem.of(e), e);
    }
  }

  private void prune(List<EpochFile> files) {
    long bytes = 0;
    for (int i = files.size() - 1; i >= 0; i--) {
      Path path = files.get(i).path();
      bytes += path.toFile().length();
      if (bytes > bytesMax || files.size() - i > FILES_MAX) {
        try {
          Files.deleteIfExists(path);
        } catch (IOException e) {
          throw new UserError(path + ": can't be deleted: " + FileProblem.of(e), e);
        }
      }
    }
  }

  private Path dryPath(int part) {
    String name = part == 0 ? DRY : String.format(Locale.ROOT, "%s-%04d", DRY, part);
    return folder.resolve(name + END);
  }

  /** The files of the last dry run, the oldest first. */
  private List<EpochFile> dryFiles() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(folder)) {
      return found
          .flatMap(path -> part(DRY_NAME, path).map(part -> new EpochFile(0, part, path)).stream())
          .sorted(Comparator.comparing(EpochFile::part))
          .toList();
    } catch (IOException e) {
      throw new UserError(folder + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  private static Optional<Integer> part(Pattern name, Path path) {
    Matcher found = name.matcher(path.getFileName().toString());
    return found.matches()
        ? Optional.of(found.group(1) == null ? 0 : Integer.parseInt(found.group(1)))
        : Optional.empty();
  }

  /** A journal of a dry run, which may run beside the controller that acts. */
  Journal dry(JournalState known) {
    try {
      for (EpochFile earlier : dryFiles()) {
        Files.deleteIfExists(earlier.path());
      }
    } catch (IOException e) {
      throw new UserError(folder + ": can't be cleared: " + FileProblem.of(e), e);
    }
    JournalStore store =
        new EpochJournalStore(this::dryPath, partBytesMax, () -> prune(dryFiles()));
    return new Journal(store, known);
  }

  /**
   * Entries of controllers that acted, in order of epochs, without the {@link #late} ones; does not
   * change any file.
   */
  public List<Entry> acted() {
    return entries(false);
  }

  /** The last entry of a controller that acts or acted; empty if there is none. */
  public Optional<Entry> newest() {
    List<EpochFile> files = files();
    for (int i = files.size() - 1; i >= 0; i--) {
      List<String> lines = FileJournalStore.reading(files.get(i).path()).lines();
      if (!lines.isEmpty()) {
        MemoryJournalStore last = new MemoryJournalStore();
        last.append(lines.get(lines.size() - 1));
        return Optional.of(Journal.read(last).get(0));
      }
    }
    return Optional.empty();
  }

  /** Entries of the last dry run, which may have been one look only. */
  public List<Entry> dryRun() {
    return dryFiles().stream().flatMap(f -> f.entries().stream()).toList();
  }

  /** As {@link #acted()}, with those of the last dry run, where they belong by their time. */
  public List<Entry> all() {
    List<Entry> acted = acted();
    List<Entry> all = new ArrayList<>();
    int next = 0;
    for (Entry dry : dryRun()) {
      while (next < acted.size() && !acted.get(next).at().isAfter(dry.at())) {
        all.add(acted.get(next++));
      }
      all.add(dry);
    }
    all.addAll(acted.subList(next, acted.size()));
    return all;
  }

  /**
   * Lines that a controller wrote after the next one had begun: it had lost control and did not
   * know. They are shown and have no effect.
   */
  public List<Entry> late() {
    return entries(true);
  }

  /** Bytes of the files of earlier epochs, by name. */
  Map<String, Long> written(long epoch) {
    Map<String, Long> bytes = new TreeMap<>();
    files().stream()
        .filter(f -> f.epoch() < epoch)
        .forEach(f -> bytes.put(f.name(), FileJournalStore.completeBytes(f.path())));
    return bytes;
  }

  /** The late ones of all entries, or all others. */
  private List<Entry> entries(boolean late) {
    LinkedList<List<Entry>> found = new LinkedList<>();
    Successors successors = new Successors();
    List<EpochFile> files = files();
    for (int i = files.size() - 1; i >= 0; i--) {
      if (i < files.size() - 1 && files.get(i).epoch() != files.get(i + 1).epoch()) {
        successors.beginEarlier();
      }
      List<Entry> entries = files.get(i).entries();
      int inTime = successors.inTime(files.get(i));
      List<Entry> those = new ArrayList<>();
      for (int line = 0; line < entries.size(); line++) {
        if (late == (line >= inTime || successors.before(entries.get(line)))) {
          those.add(entries.get(line));
        }
      }
      found.addFirst(those);
      successors.read(entries);
    }
    return found.stream().flatMap(List::stream).toList();
  }

  /** What is known of later epochs while the files are read from the newest to the oldest. */
  private static final class Successors {
    /** What the oldest successor that noted it has found, of the lines before it. */
    private Optional<Map<String, Long>> noted = Optional.empty();

    /** Of the next epoch, if it did not note the sizes; as far as wall clocks can tell. */
    private Instant begun = Instant.MAX;

    private Optional<Entry> first = Optional.empty();

    /** The files read from now on are of an earlier epoch. */
    void beginEarlier() {
      if (first.isEmpty()) {
        return;
      }
      Optional<Map<String, Long>> notes =
          first
              .filter(Entry.Took.class::isInstance)
              .flatMap(e -> Optional.ofNullable(((Entry.Took) e).earlier()));
      noted = notes.isPresent() ? notes : noted;
      Instant at = first.get().at();
      begun = notes.isPresent() ? Instant.MAX : at.isBefore(begun) ? at : begun;
      first = Optional.empty();
    }

    void read(List<Entry> entries) {
      if (!entries.isEmpty()) {
        first = Optional.of(entries.get(0));
      }
    }

    /** How many of a file's lines were written before the epochs that followed. */
    int inTime(EpochFile file) {
      return noted
          .map(sizes -> FileJournalStore.lines(file.path(), sizes.getOrDefault(file.name(), 0L)))
          .orElse(Integer.MAX_VALUE);
    }

    boolean before(Entry entry) {
      return entry.at().isAfter(begun);
    }
  }

  /** Time of the last entry; the start of 1970 if there is none. */
  Instant lastWritten() {
    return Stream.concat(files().stream(), dryFiles().stream())
        .map(file -> Instant.ofEpochMilli(file.path().toFile().lastModified()))
        .max(Comparator.naturalOrder())
        .orElse(Instant.EPOCH);
  }
}
