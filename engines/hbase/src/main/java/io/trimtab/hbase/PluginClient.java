package io.trimtab.hbase;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.ServiceException;
import io.trimtab.hbasewire.BlockList;
import io.trimtab.hbasewire.HistogramList;
import io.trimtab.hbasewire.NodeProtocol;
import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.RegionHistory;
import io.trimtab.hbasewire.ResizeRequest;
import io.trimtab.hbasewire.SplitList;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;

/**
 * Calls the plug-in of a RegionServer. One of version 1 is reached under the name that its service
 * had; a call that a plug-in is too old for throws {@link OutdatedPluginException}.
 */
final class PluginClient {
  private final Admin admin;

  PluginClient(Admin admin) {
    this.admin = admin;
  }

  /** Empty where the plug-in is not loaded. */
  Optional<NodeReport> report(ServerName server) throws IOException {
    return report(server, NodeProtocol.REPORT, ResizeRequest.report());
  }

  /** Empty where the plug-in is not loaded. */
  Optional<NodeReport> resize(ServerName server, ResizeRequest request) throws IOException {
    return report(server, NodeProtocol.RESIZE, request.message());
  }

  /** A region's blocks in the server's cache; empty without a plug-in that supports it. */
  Optional<BlockList> cached(ServerName server, String encodedRegion) throws IOException {
    return ask(
        server,
        NodeProtocol.CACHED,
        BlockList.request(encodedRegion),
        BlockList.prototype(),
        BlockList::parse);
  }

  /** Empty where no plug-in can do it. */
  Optional<NodeReport> warm(ServerName server, BlockList blocks) throws IOException {
    return report(server, NodeProtocol.WARM, blocks.message());
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
    return report(server, NodeProtocol.INHERIT, history.message());
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
      Optional<String> unknown = unknown(e);
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

  /** What the server says of a service, or a method of one, that it does not have. */
  private static Optional<String> unknown(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      // The class arrives by its name when the server throws it.
      String text = String.valueOf(cause.getMessage());
      if (text.contains("UnknownProtocolException")
          || cause.getClass().getSimpleName().equals("UnknownProtocolException")) {
        return Optional.of(text);
      }
    }
    return Optional.empty();
  }
}
