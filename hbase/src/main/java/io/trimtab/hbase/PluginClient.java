package io.trimtab.hbase;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.ServiceException;
import io.trimtab.hbaseplugin.BlockList;
import io.trimtab.hbaseplugin.HistogramList;
import io.trimtab.hbaseplugin.NodeReport;
import io.trimtab.hbaseplugin.ProfileProtocol;
import io.trimtab.hbaseplugin.RegionHistory;
import io.trimtab.hbaseplugin.ResizeRequest;
import io.trimtab.hbaseplugin.SplitList;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;

/** Calls the plug-in of a RegionServer. */
final class PluginClient {
  private final Admin admin;

  PluginClient(Admin admin) {
    this.admin = admin;
  }

  /** Empty where the plug-in is not loaded. */
  Optional<NodeReport> report(ServerName server) throws IOException {
    return report(server, ProfileProtocol.REPORT, ResizeRequest.report());
  }

  /** Empty where the plug-in is not loaded. */
  Optional<NodeReport> resize(ServerName server, ResizeRequest wanted) throws IOException {
    return report(server, ProfileProtocol.RESIZE, wanted.message());
  }

  /** A region's blocks in the server's cache; empty where no plug-in can tell. */
  Optional<BlockList> cached(ServerName server, String encodedRegion) throws IOException {
    return ask(
        server,
        ProfileProtocol.CACHED,
        BlockList.request(encodedRegion),
        BlockList.prototype(),
        BlockList::parse);
  }

  /** Empty where no plug-in can do it. */
  Optional<NodeReport> warm(ServerName server, BlockList blocks) throws IOException {
    return report(server, ProfileProtocol.WARM, blocks.message());
  }

  /** Where the requests of the server's regions halve; empty where no plug-in can tell. */
  Optional<SplitList> splits(ServerName server) throws IOException {
    return ask(
        server,
        ProfileProtocol.SPLITS,
        SplitList.request(),
        SplitList.prototype(),
        SplitList::parse);
  }

  /** How often blocks are asked for, told from row keys; empty where no plug-in can tell. */
  Optional<HistogramList> histograms(ServerName server) throws IOException {
    return histograms(server, ProfileProtocol.HISTOGRAMS);
  }

  /** The same, as the block cache has counted it; empty where no plug-in can tell. */
  Optional<HistogramList> exactHistograms(ServerName server) throws IOException {
    return histograms(server, ProfileProtocol.EXACT_HISTOGRAMS);
  }

  private Optional<HistogramList> histograms(ServerName server, MethodDescriptor method)
      throws IOException {
    return ask(
        server, method, HistogramList.request(), HistogramList.prototype(), HistogramList::parse);
  }

  /** What a server knows of a region's requests; empty where no plug-in can tell. */
  Optional<RegionHistory> history(ServerName server, String encodedRegion) throws IOException {
    return ask(
        server,
        ProfileProtocol.HISTORY,
        BlockList.request(encodedRegion),
        RegionHistory.prototype(),
        RegionHistory::parse);
  }

  /** Empty where no plug-in can do it. */
  Optional<NodeReport> inherit(ServerName server, RegionHistory history) throws IOException {
    return report(server, ProfileProtocol.INHERIT, history.message());
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
    try {
      return Optional.of(
          admin
              .coprocessorService(server)
              .callBlockingMethod(method, null, request, prototype)
              .toByteArray());
    } catch (ServiceException e) {
      if (missing(e)) {
        return Optional.empty();
      }
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getMessage(), e);
    }
  }

  private static boolean missing(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      // The class arrives by its name when the server throws it.
      if (String.valueOf(cause.getMessage()).contains("UnknownProtocolException")
          || cause.getClass().getSimpleName().equals("UnknownProtocolException")) {
        return true;
      }
    }
    return false;
  }
}
