package io.trimtab.testkit.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * Who owns which part of a ring that was cut into equal parts when it was made, as in Riak: a node
 * that joins claims its share from those that have most, one that leaves hands its parts to those
 * that have least. As far as that goes, copies, which are in parts that follow each other, stay on
 * different nodes. No operator chooses parts, and each is handed off as a whole.
 */
final class Claim {
  /** More parts than this many times the mean are too many for a node. */
  private static final double UNEVEN = 1.25;

  private final NavigableMap<Long, NodeModel> owners;
  private final List<Long> parts;
  private final int copies;

  private Claim(List<NodeModel> members, int copies) {
    owners = Ring.owners(members);
    parts = new ArrayList<>(owners.keySet());
    this.copies = copies;
  }

  /** The beginning of each part. */
  static List<Long> cut(int parts) {
    List<Long> tokens = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      tokens.add(Ring.token((double) i / parts));
    }
    return tokens;
  }

  /**
   * The parts of a new ring go round its nodes.
   *
   * @param parts 0 for a ring that is not cut
   */
  static void begin(List<NodeModel> nodes, int parts) {
    List<Long> all = cut(parts);
    for (int i = 0; i < parts; i++) {
      nodes.get(i % nodes.size()).tokens.add(all.get(i));
    }
  }

  /**
   * What a node that is no member yet would get of the members.
   *
   * @param members that own all parts
   */
  static List<Long> share(List<NodeModel> members, NodeModel joins, int copies) {
    Claim claim = new Claim(members, copies);
    List<Long> claimed = new ArrayList<>();
    int due = claim.parts.size() / (members.size() + 1);
    while (claimed.size() < due) {
      claimed.add(claim.next(members, joins));
    }
    return claimed;
  }

  /** Takes one part from the fullest node that has one away from the new node's other copies. */
  private long next(List<NodeModel> members, NodeModel joins) {
    List<NodeModel> fullest =
        members.stream()
            .sorted(
                Comparator.comparingLong((NodeModel n) -> -count(n)).thenComparing(node -> node.id))
            .toList();
    Optional<Long> apart =
        fullest.stream()
            .filter(node -> count(node) == count(fullest.get(0)))
            .flatMap(node -> parts.stream().filter(part -> owners.get(part) == node))
            .filter(part -> apart(part, joins))
            .findFirst();
    long part =
        apart.orElseGet(
            () -> parts.stream().filter(p -> owners.get(p) == fullest.get(0)).findFirst().get());
    owners.put(part, joins);
    return part;
  }

  private long count(NodeModel node) {
    return owners.values().stream().filter(owner -> owner == node).count();
  }

  /** Whether a node owns none of the parts that have a copy in common with this one. */
  private boolean apart(long part, NodeModel node) {
    int at = parts.indexOf(part);
    for (int i = 1; i < Math.min(copies, parts.size()); i++) {
      boolean before = owners.get(parts.get((at - i + parts.size()) % parts.size())) == node;
      boolean after = owners.get(parts.get((at + i) % parts.size())) == node;
      if (before || after) {
        return false;
      }
    }
    return true;
  }

  /**
   * The others take over what a node owns. Where that would leave one of them with too much,
   * because copies must stay apart, all parts go round them anew.
   */
  static void handOff(List<NodeModel> members, NodeModel leaves, int copies) {
    Claim claim = new Claim(members, copies);
    List<NodeModel> others = members.stream().filter(node -> node != leaves).toList();
    for (long part : leaves.tokens) {
      claim.owners.put(part, claim.heir(others, part));
    }
    leaves.tokens.clear();
    others.forEach(node -> node.tokens.clear());
    double most = UNEVEN * claim.parts.size() / others.size();
    if (others.stream().anyMatch(node -> claim.count(node) > most)) {
      begin(others, claim.parts.size());
    } else {
      claim.owners.forEach((part, node) -> node.tokens.add(part));
    }
  }

  private NodeModel heir(List<NodeModel> others, long part) {
    return others.stream()
        .min(
            Comparator.comparing((NodeModel n) -> !apart(part, n))
                .thenComparingLong(this::count)
                .thenComparing(node -> node.id))
        .orElseThrow();
  }
}
