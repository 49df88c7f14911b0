package io.trimtab.controller.observe;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.CoordinatorView;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.ReplicaView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * What coordinators know of a replica, and of the others that they know. Each is a median; NaN if
 * it is not known.
 *
 * @param serviceMs time that it worked on a read, as it told last
 * @param queued reads that waited or ran there, as it told last
 * @param outstanding reads that it owes a coordinator
 * @param silentMs how long nothing has come from it though an answer is due
 */
public record ReplicaSignals(
    Compared serviceMs, Compared queued, Compared outstanding, Compared silentMs) {

  /** Nothing is known. */
  public static final ReplicaSignals UNKNOWN =
      new ReplicaSignals(Compared.UNKNOWN, Compared.UNKNOWN, Compared.UNKNOWN, Compared.UNKNOWN);

  /** From here on a time is worth telling: longer than usual pauses of a process. */
  private static final double SILENT_MS = 50;

  /** Below, no node is slow by the work of its reads. */
  private static final double SERVICE_MS = 1;

  /** By which it must be more than the others' to say something. */
  private static final double MORE = 1.5;

  /**
   * A value of the replica, and the others'.
   *
   * @param its NaN if it is not known
   * @param others NaN if it is not known of any
   */
  public record Compared(double its, double others) {
    static final Compared UNKNOWN = new Compared(Double.NaN, Double.NaN);

    /** Whether it is clearly more than the others', and than something that always occurs. */
    boolean more(double least) {
      return its >= least && !(its < MORE * others);
    }
  }

  /** As all live coordinators other than the replica itself see it. */
  public static ReplicaSignals of(ClusterSnapshot seen, NodeId replica) {
    String dataCentre = seen.node(replica).map(NodeState::dataCentre).orElse("");
    return of(
        seen.liveNodes().stream()
            .filter(node -> !node.id().equals(replica) && node.dataCentre().equals(dataCentre))
            .flatMap(node -> node.view().stream())
            .toList(),
        replica,
        peers(seen, replica, dataCentre));
  }

  /** As one coordinator sees it, among the replicas of the same data centre. */
  public static ReplicaSignals of(ClusterSnapshot seen, CoordinatorView view, NodeId replica) {
    String dataCentre = seen.node(replica).map(NodeState::dataCentre).orElse("");
    return of(List.of(view), replica, peers(seen, replica, dataCentre));
  }

  private static List<NodeId> peers(ClusterSnapshot seen, NodeId replica, String dataCentre) {
    return seen.liveNodes().stream()
        .filter(node -> node.dataCentre().equals(dataCentre))
        .map(NodeState::id)
        .filter(node -> !node.equals(replica))
        .toList();
  }

  private static ReplicaSignals of(
      Collection<CoordinatorView> views, NodeId replica, Collection<NodeId> peers) {
    return new ReplicaSignals(
        compared(views, replica, peers, ReplicaView::serviceMs),
        compared(views, replica, peers, ReplicaView::queued),
        compared(views, replica, peers, ReplicaSignals::owed),
        compared(views, replica, peers, ReplicaView::silentMs));
  }

  private static OptionalDouble owed(ReplicaView view) {
    return view.outstanding().isPresent()
        ? OptionalDouble.of(view.outstanding().getAsLong())
        : OptionalDouble.empty();
  }

  private static Compared compared(
      Collection<CoordinatorView> views,
      NodeId replica,
      Collection<NodeId> peers,
      Function<ReplicaView, OptionalDouble> what) {
    return new Compared(median(views, List.of(replica), what), median(views, peers, what));
  }

  private static double median(
      Collection<CoordinatorView> views,
      Collection<NodeId> replicas,
      Function<ReplicaView, OptionalDouble> what) {
    double[] known =
        views.stream()
            .flatMap(view -> replicas.stream().flatMap(replica -> view.of(replica).stream()))
            .map(what)
            .filter(OptionalDouble::isPresent)
            .mapToDouble(OptionalDouble::getAsDouble)
            .toArray();
    return known.length == 0 ? Double.NaN : ReadShares.median(known);
  }

  /** The mean of what was seen at several moments. */
  static ReplicaSignals mean(Collection<ReplicaSignals> moments) {
    return new ReplicaSignals(
        mean(moments, ReplicaSignals::serviceMs),
        mean(moments, ReplicaSignals::queued),
        mean(moments, ReplicaSignals::outstanding),
        mean(moments, ReplicaSignals::silentMs));
  }

  private static Compared mean(
      Collection<ReplicaSignals> moments, Function<ReplicaSignals, Compared> what) {
    List<Compared> all = moments.stream().map(what).filter(Objects::nonNull).toList();
    return new Compared(mean(all, Compared::its), mean(all, Compared::others));
  }

  private static double mean(List<Compared> all, ToDoubleFunction<Compared> what) {
    return all.stream().mapToDouble(what).filter(Double::isFinite).average().orElse(Double.NaN);
  }

  /** Whether any of it would make coordinators avoid a replica. */
  boolean areUnusual() {
    return !text().isEmpty();
  }

  /** What of it is unusual, in words; empty if nothing is. */
  public String text() {
    List<String> said = new ArrayList<>();
    if (serviceMs.more(SERVICE_MS)) {
      said.add(number(serviceMs.its()) + " ms a read" + against(serviceMs, " ms"));
    }
    if (queued.more(1)) {
      said.add(number(queued.its()) + " reads wait there" + against(queued, ""));
    }
    if (outstanding.more(1)) {
      said.add("it owes " + number(outstanding.its()) + " answers" + against(outstanding, ""));
    }
    if (silentMs.more(SILENT_MS)) {
      said.add("nothing has come from it for " + number(silentMs.its()) + " ms");
    }
    return String.join(", ", said);
  }

  private static String against(Compared compared, String unit) {
    return Double.isNaN(compared.others()) ? "" : " against " + number(compared.others()) + unit;
  }

  private static String number(double value) {
    return value >= 10 || value == Math.rint(value)
        ? Long.toString(Math.round(value))
        : String.format(Locale.ROOT, "%.1f", value);
  }
}
