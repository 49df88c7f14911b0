package io.trimtab.engineapi.snapshot;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What I/O wait was computed from, in the order in which it is looked for (decision 0032). */
public enum WaitSource {
  /** How long the node's tasks waited for block I/O, as the kernel accounts it task by task. */
  DELAY_ACCOUNTING("the block-I/O delay of the node's tasks"),
  /** How long at least one task of the node's control group waited for I/O. */
  PRESSURE("the pressure stall information of the node's control group"),
  /** How many reads of the node reached its disks, and how long these took for a read. */
  DISK_TIMES("how long the node's disks took for its reads"),
  /** How many reads reached the disk, relative to those that the node is allowed. */
  READS_BY_LIMIT("reads ÷ read limit, a fallback that measures no wait"),
  /** How long processors of the machine were idle while some task waited for I/O. */
  MACHINE("the I/O wait of the entire machine"),
  /** Nobody measures it: only the node's JVM tells of its usage. */
  NONE("nothing: it is not known"),
  UNKNOWN("a source that was not recorded");

  private final String text;

  WaitSource(String text) {
    this.text = text;
  }

  /** To follow "I/O wait from". */
  public String text() {
    return text;
  }

  /** Whether waits count only while a processor is idle. */
  public boolean onlyWhileIdle() {
    return this == MACHINE || this == UNKNOWN;
  }

  /**
   * The text of a source as a file names it.
   *
   * @param name empty if the file does not tell it; may be of a later version
   */
  public static String text(String name) {
    return name.isEmpty()
        ? UNKNOWN.text
        : Arrays.stream(values())
            .filter(source -> source.name().equals(name))
            .findFirst()
            .map(source -> source.text)
            .orElse(name);
  }

  /**
   * The sources of several usages in one phrase, to follow "I/O wait from", with their numbers if
   * they differ; empty if no usage is known.
   */
  public static String phrase(Collection<NodeUsage> usages) {
    Map<WaitSource, Integer> counts = new EnumMap<>(WaitSource.class);
    usages.stream()
        .filter(NodeUsage::known)
        .forEach(usage -> counts.merge(usage.waitSource(), 1, Integer::sum));
    int all = counts.values().stream().mapToInt(count -> count).sum();
    return counts.entrySet().stream()
        .map(
            of ->
                of.getValue() == all
                    ? of.getKey().text
                    : "%s (%d of %d)".formatted(of.getKey().text, of.getValue(), all))
        .collect(Collectors.joining(", "));
  }
}
