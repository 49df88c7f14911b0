package io.trimtab.hbaseplugin;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import io.trimtab.hbasewire.BlockList;
import io.trimtab.hbasewire.HistogramList;
import io.trimtab.hbasewire.NodeProtocol;
import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.hbasewire.RegionHistory;
import io.trimtab.hbasewire.ResizeRequest;
import io.trimtab.hbasewire.SplitList;
import io.trimtab.plugincore.BlockAccesses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes a RegionServer's block cache and memstore limit at once, without a restart (wished for in
 * Cruz 2016, §3.5), and lets a region's cached blocks follow it to another server. Named in {@code
 * hbase.coprocessor.regionserver.classes}.
 *
 * <p>It observes nothing and is on no request's path. A call that fails is counted, logged at a
 * limited rate and told to the caller; the server goes on as if the plug-in were not there. A new
 * split lasts until the process ends; then its configuration file applies.
 */
@CoreCoprocessor
public final class ProfileEndpoint implements RegionServerCoprocessor, Service {
  private static final Logger LOG = LoggerFactory.getLogger(ProfileEndpoint.class);

  private static final String NOT_STARTED = "the plug-in could not start; see the server's log";

  private final FailureLog failures =
      new FailureLog(
          (what, total, cause) ->
              LOG.warn("{} failed, for the {}. time; HBase goes on", what, total, cause));
  private final MachineLoad machine = new MachineLoad(Path.of("/proc"));
  private volatile RegionServerServices server;
  private volatile HeapMemory memory;
  private volatile MemoryResizer resizer;
  private volatile CachedBlocks cachedBlocks;

  @Override
  @SuppressWarnings("deprecation") // HBase 2 has no other way to a server's services.
  public void start(CoprocessorEnvironment environment) {
    try {
      server = ((HasRegionServerServices) environment).getRegionServerServices();
      HeapMemory found = new HeapMemory(server);
      cachedBlocks = new CachedBlocks(server);
      resizer = new MemoryResizer(found);
      memory = found;
      LOG.info("Trimtab's plug-in {} is loaded", version());
    } catch (RuntimeException | LinkageError e) {
      // An exception from here would stop the RegionServer.
      failures.add("start", e, System.nanoTime());
    }
  }

  @Override
  public Iterable<Service> getServices() {
    // HBase asks before it calls start().
    return List.of(this, new OldName());
  }

  /** For controllers of version 1. */
  private final class OldName implements Service {
    @Override
    public ServiceDescriptor getDescriptorForType() {
      return NodeProtocol.SERVICE_OF_VERSION_1;
    }

    @Override
    public void callMethod(
        MethodDescriptor method,
        RpcController controller,
        Message request,
        RpcCallback<Message> done) {
      ProfileEndpoint.this.callMethod(
          NodeProtocol.SERVICE.findMethodByName(method.getName()), controller, request, done);
    }

    @Override
    public Message getRequestPrototype(MethodDescriptor method) {
      return ProfileEndpoint.this.getRequestPrototype(method);
    }

    @Override
    public Message getResponsePrototype(MethodDescriptor method) {
      return ProfileEndpoint.this.getResponsePrototype(method);
    }
  }

  @Override
  public ServiceDescriptor getDescriptorForType() {
    return NodeProtocol.SERVICE;
  }

  @Override
  public Message getRequestPrototype(MethodDescriptor method) {
    return DynamicMessage.getDefaultInstance(method.getInputType());
  }

  @Override
  public Message getResponsePrototype(MethodDescriptor method) {
    return DynamicMessage.getDefaultInstance(method.getOutputType());
  }

  @Override
  public void callMethod(
      MethodDescriptor method,
      RpcController controller,
      Message request,
      RpcCallback<Message> done) {
    if (method.equals(NodeProtocol.CACHED)) {
      done.run(cached(request));
    } else if (method.equals(NodeProtocol.SPLITS)) {
      done.run(splits());
    } else if (method.equals(NodeProtocol.HISTOGRAMS)) {
      done.run(histograms(method, ProfileEndpoint::histogram));
    } else if (method.equals(NodeProtocol.EXACT_HISTOGRAMS)) {
      done.run(histograms(method, ProfileEndpoint::exact));
    } else if (method.equals(NodeProtocol.HISTORY)) {
      done.run(history(request));
    } else {
      done.run(report(method, request));
    }
  }

  private Message splits() {
    try {
      return SplitList.message(RegionRequests.OF_SERVER.all());
    } catch (RuntimeException | LinkageError e) {
      failures.add(NodeProtocol.SPLITS.getName(), e, System.nanoTime());
      return SplitList.message(Collections.emptyMap());
    }
  }

  /** Adds the counts of a region, which may not be on this server, to a list. */
  @FunctionalInterface
  private interface HistogramWriter {
    void into(
        HistogramList.Builder list, Optional<HRegion> region, String name, RegionFollower follower);
  }

  private Message histograms(MethodDescriptor method, HistogramWriter writer) {
    HistogramList.Builder list = new HistogramList.Builder();
    RegionServerServices here = server;
    RegionRequests.OF_SERVER
        .followers()
        .forEach(
            (name, follower) -> {
              try {
                Optional<HRegion> region =
                    Optional.ofNullable(here)
                        .map(services -> services.getRegion(name))
                        .filter(HRegion.class::isInstance)
                        .map(HRegion.class::cast);
                if (region.isPresent()) {
                  follower.look(region.get());
                }
                writer.into(list, region, name, follower);
              } catch (IOException | RuntimeException | LinkageError e) {
                failures.add(method.getName(), e, System.nanoTime());
                list.add(name, "the plug-in failed: " + e);
              }
            });
    return list.message();
  }

  /** Without anything in it where nothing is known, or something fails. */
  private Message history(Message request) {
    String region = BlockList.region(request);
    try {
      return RegionHistory.of(region, RegionRequests.OF_SERVER.history(region)).message();
    } catch (RuntimeException | LinkageError e) {
      failures.add(NodeProtocol.HISTORY.getName(), e, System.nanoTime());
      return RegionHistory.of(region, new byte[0]).message();
    }
  }

  private static void histogram(
      HistogramList.Builder list, Optional<HRegion> region, String name, RegionFollower follower) {
    Optional<BlockAccesses> accesses = follower.accesses();
    if (accesses.isEmpty()) {
      // Only where this is sure: who believes it takes every read for one from memory.
      if (region.isPresent()
          && region.get().getStores().stream().allMatch(s -> s.getStorefilesCount() == 0)) {
        list.addWithoutFiles(name);
      } else {
        list.add(name, "its block index has not been read");
      }
      return;
    }
    accesses.get().age();
    list.add(name, accesses.get(), follower.scale(), follower.blockBytes());
  }

  private static void exact(
      HistogramList.Builder list, Optional<HRegion> region, String name, RegionFollower follower) {
    Optional<String> missing = ExactCounts.missing();
    if (missing.isPresent() || region.isEmpty()) {
      list.add(name, missing.orElse("it is not on this server"));
      return;
    }
    List<String> files = new ArrayList<>();
    for (HStore store : region.get().getStores()) {
      for (HStoreFile file : store.getStorefiles()) {
        files.add(file.getPath().getName());
      }
    }
    list.add(name, ExactCounts.histogram(files), follower.blockBytes());
  }

  private Message cached(Message request) {
    try {
      if (cachedBlocks == null) {
        return BlockList.refused(NOT_STARTED).message();
      }
      return cachedBlocks.cached(BlockList.region(request)).message();
    } catch (IllegalArgumentException e) {
      return BlockList.refused(e.getMessage()).message();
    } catch (IOException | RuntimeException | LinkageError e) {
      failures.add(NodeProtocol.CACHED.getName(), e, System.nanoTime());
      return BlockList.refused("the plug-in failed: " + e).message();
    }
  }

  private Message report(MethodDescriptor method, Message request) {
    NodeReport.Builder report = NodeReport.builder();
    try {
      if (memory == null) {
        throw new IllegalArgumentException(NOT_STARTED);
      }
      if (method.equals(NodeProtocol.RESIZE)) {
        report.put(Field.PENDING, resize(ResizeRequest.of(request)));
      } else if (method.equals(NodeProtocol.WARM)) {
        report.put(Field.WARMED, cachedBlocks.warm(BlockList.of(request)));
      } else if (method.equals(NodeProtocol.INHERIT)) {
        RegionHistory history = RegionHistory.of(request);
        RegionRequests.OF_SERVER.expect(history.region(), BlockAccesses.of(history.accesses()));
      }
      describe(report);
    } catch (IllegalArgumentException e) {
      report.put(Field.REFUSAL, e.getMessage());
    } catch (IOException | RuntimeException | LinkageError e) {
      failures.add(method.getName(), e, System.nanoTime());
      report.put(Field.REFUSAL, "the plug-in failed: " + e);
    }
    report.put(Field.FAILURES, failures.count());
    return report.build().message();
  }

  private boolean resize(ResizeRequest request) {
    boolean pending = resizer.resize(request);
    if (pending) {
      LOG.debug("The memstores are flushed before their limit falls");
    } else {
      LOG.info(
          "Block cache has {} and memstore {} of the heap",
          request.cacheFraction(),
          request.memstoreFraction());
    }
    return pending;
  }

  private void describe(NodeReport.Builder report) throws IOException {
    report
        .put(Field.PLUGIN_VERSION, version())
        .put(Field.NOT_RESIZABLE, memory.notResizable())
        .put(Field.HEAP_MAX_BYTES, memory.heapMaxBytes())
        .put(Field.CACHE_CLASS, memory.cacheClass())
        .put(Field.CACHE_MAX_BYTES, memory.cacheMaxBytes())
        .put(Field.CACHE_USED_BYTES, memory.cacheUsedBytes())
        .put(Field.MEMSTORE_MAX_BYTES, memory.memstoreMaxBytes())
        .put(Field.MEMSTORE_USED_BYTES, memory.memstoreUsedBytes())
        .put(Field.FOLLOWED, RegionRequests.OF_SERVER.size());
    machine.into(report);
  }

  private static String version() {
    String version = ProfileEndpoint.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }
}
