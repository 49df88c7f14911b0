package io.trimtab.runtime;

import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.trimtab.config.UserError;
import io.trimtab.controller.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Plan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What was decided and done on one cluster: JSON lines, appended and forced to disk one by one, so
 * that a controller that was killed at any moment knows where it stood. A torn last line is what a
 * crash leaves and is cut off; a broken line elsewhere is an error. Thread-safe.
 */
public final class Journal implements AutoCloseable {
  private static final String ACTS = "journal.jsonl";

  /** Dry runs write here, since they may run beside the one controller that acts. */
  private static final String DRY = "dry.jsonl";

  private final Path file;
  private final FileChannel channel;
  private final List<Entry> entries = new ArrayList<>();

  private Journal(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** For the controller that acts; it holds the cluster's control lock, so it is the only one. */
  public static Journal open(Path folder) {
    Path file = folder.resolve(ACTS);
    try {
      Files.createDirectories(folder);
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      Journal journal = new Journal(file, channel);
      long whole = read(file, journal.entries);
      channel.truncate(whole);
      channel.position(whole);
      return journal;
    } catch (IOException e) {
      throw new UserError(file + ": can't be opened: " + e.getMessage(), e);
    }
  }

  /** Knows what the controllers that act have done, and notes in a file of its own. */
  public static Journal dry(Path folder) {
    Path file = folder.resolve(DRY);
    try {
      Files.createDirectories(folder);
      Files.deleteIfExists(file);
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      Journal journal = new Journal(file, channel);
      read(folder.resolve(ACTS), journal.entries);
      return journal;
    } catch (IOException e) {
      throw new UserError(file + ": can't be opened: " + e.getMessage(), e);
    }
  }

  /** Everything noted about a cluster, in order of time; changes no file. */
  public static List<Entry> all(Path folder) {
    List<Entry> all = new ArrayList<>();
    try {
      read(folder.resolve(ACTS), all);
      read(folder.resolve(DRY), all);
    } catch (IOException e) {
      throw new UserError(folder + ": can't be read: " + e.getMessage(), e);
    }
    all.sort(Comparator.comparing(Entry::at));
    return all;
  }

  /** When anything was noted last; the epoch where nothing was. */
  static Instant lastWritten(Path folder) {
    return Stream.of(ACTS, DRY)
        .map(name -> folder.resolve(name).toFile().lastModified())
        .max(Comparator.naturalOrder())
        .map(Instant::ofEpochMilli)
        .orElseThrow();
  }

  /**
   * Adds a file's entries.
   *
   * @return bytes of whole lines; what follows them is torn
   */
  private static long read(Path file, List<Entry> entries) throws IOException {
    if (!Files.exists(file)) {
      return 0;
    }
    byte[] bytes = Files.readAllBytes(file);
    int start = 0;
    int line = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != '\n') {
        continue;
      }
      line++;
      String text = new String(bytes, start, i - start, StandardCharsets.UTF_8);
      try {
        entries.add(EntryJson.MAPPER.readValue(text, Entry.class));
      } catch (ValueInstantiationException e) {
        throw new UserError(file + ":" + line + ": " + e.getCause().getMessage(), e);
      } catch (IOException e) {
        throw new UserError(
            file + ":" + line + ": is not a journal entry; move the file away to begin anew", e);
      }
      start = i + 1;
    }
    return start;
  }

  public synchronized void append(Entry entry) {
    try {
      byte[] line =
          (EntryJson.MAPPER.writerFor(Entry.class).writeValueAsString(entry) + "\n")
              .getBytes(StandardCharsets.UTF_8);
      ByteBuffer buffer = ByteBuffer.wrap(line);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(false);
      entries.add(entry);
    } catch (IOException e) {
      throw new UserError(file + ": can't be written: " + e.getMessage(), e);
    }
  }

  /** Notes a refusal; the same one again and again is noted once. */
  public synchronized void hold(Entry.Held held) {
    if (!entries.isEmpty()
        && entries.get(entries.size() - 1) instanceof Entry.Held last
        && last.by().equals(held.by())
        && last.setting().equals(held.setting())) {
      entries.set(entries.size() - 1, held);
      return;
    }
    append(held);
  }

  public synchronized List<Entry> entries() {
    return List.copyOf(entries);
  }

  /**
   * A plan that was begun and not ended.
   *
   * @param ended steps that were done or skipped
   * @param added nodes that the plan's placeholders became
   */
  public record Unfinished(
      Plan plan,
      BalancerState before,
      PolicyState next,
      Instant startedAt,
      Set<Integer> ended,
      Map<NodeId, NodeId> added) {}

  public synchronized Optional<Unfinished> unfinished() {
    Unfinished open = null;
    for (Entry entry : entries) {
      if (entry instanceof Entry.PlanStarted start) {
        open =
            new Unfinished(
                start.plan(),
                start.before(),
                start.next(),
                start.at(),
                new HashSet<>(),
                new HashMap<>());
      } else if (entry instanceof Entry.PlanEnded) {
        open = null;
      } else if (open != null && entry instanceof Entry.ActionEnded end) {
        if (end.outcome().ended()) {
          open.ended().add(end.step());
        }
      } else if (open != null && entry instanceof Entry.NodeAdded added) {
        open.added().put(added.placeholder(), added.node());
      }
    }
    return Optional.ofNullable(open);
  }

  /** What the policy remembered after the last plan that was carried out to its end. */
  public synchronized PolicyState policyState() {
    PolicyState state = PolicyState.INITIAL;
    PolicyState pending = null;
    for (Entry entry : entries) {
      if (entry instanceof Entry.PlanStarted start) {
        pending = start.next();
      } else if (entry instanceof Entry.PlanEnded end) {
        state = end.outcome() == PlanOutcome.DONE && pending != null ? pending : state;
      }
    }
    return state;
  }

  public synchronized Optional<Instant> lastPlanEnded() {
    return entries.stream()
        .filter(Entry.PlanEnded.class::isInstance)
        .map(Entry::at)
        .reduce((a, b) -> b);
  }

  @Override
  public synchronized void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UserError(file + ": can't be closed: " + e.getMessage(), e);
    }
  }
}
