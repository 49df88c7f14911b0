package io.trimtab.hbase;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.ServiceException;
import io.trimtab.hbasewire.BlockList;
import io.trimtab.hbasewire.ControllerEpoch;
import io.trimtab.hbasewire.HistogramList;
import io.trimtab.hbasewire.NodeProtocol;
import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.RegionHistory;
import io.trimtab.hbasewire.ResizeRequest;
import io.trimtab.hbasewire.SplitList;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * Calls the plug-in of a RegionServer. One of version 1 is reached under the name that its service
 * had; a call that a plug-in is too old for throws {@link OutdatedPluginException}, and one that
 * HBase's permissions forbid {@link PluginAccessException}.
 */
final class PluginClient {
  /** How a server names the class when it refuses a caller. */
  private static final String DENIED = AccessDeniedException.class.getSimpleName();

  /** HBase's permissions forbid a call of the plug-in to this user; no retry helps. */
  static final class PluginAccessException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * @param refusal one line: "host:16020: user u needs the global permission ADMIN for Resize"
     */
    PluginAccessException(String refusal, Throwable cause) {
      super(refusal, cause);
    }
  }

  /** The plug-in is too old for a request; everything else goes on, and no retry helps. */
  static final class OutdatedPluginException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * @param what "the plug-in on host:16020 has no Splits"
     */
    OutdatedPluginException(String what, Throwable cause) {
      super(what + ": update the plug-in (trimtab plugin install hbase)", cause);
    }
  }

  private final Admin admin;
  private final LongSupplier epoch;

  /**
   * @param epoch of this controller, ≥ 0; {@link ControllerEpoch#NONE} where it has none. Requests
   *     that change something carry it.
   */
  PluginClient(Admin admin, LongSupplier epoch) {
    this.admin = admin;
    this.epoch = epoch;
  }

  /** Empty where the plug-in is not loaded. */
  Optional<NodeReport> report(ServerName server) throws IOException {
    return report(server, NodeProtocol.REPORT, ResizeRequest.report());
  }

  /** Empty where the plug-in is not loaded. */
  Optional<NodeReport> resize(ServerName server, ResizeRequest request) throws IOException {
    return report(server, NodeProtocol.RESIZE, fenced(request.message()));
  }

  /** A region's blocks in the server's cache; empty without a plug-in that supports it. */
  Optional<BlockList> cached(ServerName server, String encodedRegion) throws IOException {
    return ask(
        server,
        NodeProtocol.CACHED,
        fenced(BlockList.request(encodedRegion)),
        BlockList.prototype(),
        BlockList::parse);
  }

  /** Empty where no plug-in can do it. */
  Optional<NodeReport> warm(ServerName server, BlockList blocks) throws IOException {
    return report(server, NodeProtocol.WARM, fenced(blocks.message()));
  }

  /** Empty where no plug-in can do it. */
  Optional<NodeReport> evict(ServerName server, BlockList blocks) throws IOException {
    return report(server, NodeProtocol.EVICT, fenced(blocks.message()));
  }

  /** Keys that halve the requests of the server's regions; empty without a plug-in. */
  Optional<SplitList> splits(ServerName server) throws IOException {
    return ask(
        server, NodeProtocol.SPLITS, SplitList.request(), SplitList.prototype(), SplitList::parse);
  }

  /** Access counts of blocks from row keys; empty without a plug-in that supports it. */
  Optional<HistogramList> histograms(ServerName server) throws IOException {
    return histograms(server, NodeProtocol.HISTOGRAMS);
  }

  /** Access counts of the block cache; empty without a server that counts. */
  Optional<HistogramList> exactHistograms(ServerName server) throws IOException {
    return histograms(server, NodeProtocol.EXACT_HISTOGRAMS);
  }

  private Optional<HistogramList> histograms(ServerName server, MethodDescriptor method)
      throws IOException {
    return ask(
        server, method, HistogramList.request(), HistogramList.prototype(), HistogramList::parse);
  }

  /** A server's estimates for a region; empty without a plug-in that supports it. */
  Optional<RegionHistory> history(ServerName server, String encodedRegion) throws IOException {
    return ask(
        server,
        NodeProtocol.HISTORY,
        BlockList.request(encodedRegion),
        RegionHistory.prototype(),
        RegionHistory::parse);
  }

  /** Empty where no plug-in can do it. */
  Optional<NodeReport> inherit(ServerName server, RegionHistory history) throws IOException {
    return report(server, NodeProtocol.INHERIT, fenced(history.message()));
  }

  private Message fenced(Message request) {
    return ControllerEpoch.on(request, epoch.getAsLong());
  }

  private Optional<NodeReport> report(ServerName server, MethodDescriptor method, Message request)
      throws IOException {
    return ask(server, method, request, NodeReport.prototype(), NodeReport::parse);
  }

  /** Takes an answer off the wire. */
  @FunctionalInterface
  private interface Parser<A> {
    A parse(byte[] bytes) throws IOException;
  }

  private <A> Optional<A> ask(
      ServerName server,
      MethodDescriptor method,
      Message request,
      Message prototype,
      Parser<A> parser)
      throws IOException {
    Optional<byte[]> answer = call(server, method, request, prototype);
    return answer.isEmpty() ? Optional.empty() : Optional.of(parser.parse(answer.get()));
  }

  private Optional<byte[]> call(
      ServerName server, MethodDescriptor method, Message request, Message prototype)
      throws IOException {
    Optional<byte[]> answer = callOnce(server, method, request, prototype);
    return answer.isPresent()
        ? answer
        : callOnce(server, NodeProtocol.ofVersion1(method), request, prototype);
  }

  /** Empty if the server has no service of this name. */
  private Optional<byte[]> callOnce(
      ServerName server, MethodDescriptor method, Message request, Message prototype)
      throws IOException {
    try {
      return Optional.of(
          admin
              .coprocessorService(server)
              .callBlockingMethod(method, null, request, prototype)
              .toByteArray());
    } catch (ServiceException e) {
      Optional<String> denied = said(e, DENIED);
      if (denied.isPresent()) {
        throw new PluginAccessException(Cluster.node(server) + ": " + denied.get(), e);
      }
      Optional<String> unknown = said(e, "UnknownProtocolException");
      if (unknown.isPresent() && unknown.get().contains("Unknown method")) {
        throw new OutdatedPluginException(
            "the plug-in on " + Cluster.node(server) + " has no " + method.getName(), e);
      }
      if (unknown.isPresent()) {
        return Optional.empty();
      }
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getMessage(), e);
    }
  }

  /**
   * The first line of what a server says with an exception of this class; empty if it throws
   * another. The class may arrive by its name, before the text.
   */
  private static Optional<String> said(Throwable e, String simpleName) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      String text = String.valueOf(cause.getMessage());
      int named = text.indexOf(simpleName);
      if (named >= 0 || cause.getClass().getSimpleName().equals(simpleName)) {
        String after = named < 0 ? text : text.substring(named + simpleName.length());
        return Optional.of(after.replaceFirst("^:?\\s*", "").split("\n", 2)[0].strip());
      }
    }
    return Optional.empty();
  }
}
