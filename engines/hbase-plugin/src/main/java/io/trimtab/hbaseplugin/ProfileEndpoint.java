package io.trimtab.hbaseplugin;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import io.trimtab.hbasewire.BlockList;
import io.trimtab.hbasewire.ControllerEpoch;
import io.trimtab.hbasewire.NodeProtocol;
import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.hbasewire.RegionHistory;
import io.trimtab.hbasewire.ResizeRequest;
import io.trimtab.hbasewire.SplitList;
import io.trimtab.plugincore.BlockAccesses;
import io.trimtab.plugincore.SplitAdvice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
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
 *
 * <p>Where HBase's authorization is on, a caller needs its global permission ADMIN for what changes
 * something, and READ on a table to see row keys of it ({@link CallerAccess}). Of the callers that
 * may, one with an epoch older than another's is refused what changes something ({@link
 * EpochFence}).
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
  private final EpochFence fence = new EpochFence();
  private final RegionRequests requests;
  private final Supplier<Optional<User>> caller;
  private volatile RegionServerServices server;
  private volatile CallerAccess access;
  private volatile HeapMemory memory;
  private volatile MemoryResizer resizer;
  private volatile CachedBlocks cachedBlocks;
  private volatile CountsSaver saver;

  public ProfileEndpoint() {
    this(RegionRequests.OF_SERVER, RpcServer::getRequestUser);
  }

  /**
   * @param caller user of the request that the current thread handles
   */
  ProfileEndpoint(RegionRequests requests, Supplier<Optional<User>> caller) {
    this.requests = requests;
    this.caller = caller;
  }

  @Override
  @SuppressWarnings("deprecation") // HBase 2 has no other way to a server's services.
  public void start(CoprocessorEnvironment environment) {
    try {
      server = ((HasRegionServerServices) environment).getRegionServerServices();
      access = new CallerAccess(server, caller);
      RequestsBean.showKeys(server.getConfiguration().getBoolean(RequestsBean.KEYS, false));
      HeapMemory found = new HeapMemory(server);
      cachedBlocks = new CachedBlocks(server);
      resizer = new MemoryResizer(found);
      memory = found;
      saveCounts(server);
      LOG.info(
          "Trimtab's plug-in {} is loaded; {}",
          version(),
          CallerAccess.policy(server.getConfiguration()));
    } catch (RuntimeException | LinkageError e) {
      // An exception from here would stop the RegionServer.
      failures.add("start", e, System.nanoTime());
    }
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void stop(CoprocessorEnvironment environment) {
    CountsSaver now = saver;
    if (now != null) {
      now.stop();
    }
  }

  private void saveCounts(RegionServerServices of) {
    if (of.getConfiguration().getBoolean(CountsSaver.KEY, true) && requests.claimSaving()) {
      saver = new CountsSaver(requests, region -> SavedCounts.of(of, region), failures, LOG::warn);
      saver.start();
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
    try {
      done.run(answer(method, request));
    } catch (IOException e) {
      CoprocessorRpcUtils.setControllerException(controller, e);
      done.run(null);
    }
  }

  /**
   * @throws AccessDeniedException if the caller may not ask for this
   */
  private Message answer(MethodDescriptor method, Message request) throws IOException {
    if (method.equals(NodeProtocol.SPLITS)) {
      return splits();
    }
    if (method.equals(NodeProtocol.HISTORY)) {
      return history(request);
    }
    if (!method.equals(NodeProtocol.REPORT)) {
      // Histograms too: the first request starts the counting, and each ages the counts.
      allowed(method, () -> access().requireAdmin(method.getName()));
    }
    if (method.equals(NodeProtocol.CACHED)) {
      return cached(request);
    } else if (method.equals(NodeProtocol.HISTOGRAMS)) {
      return histograms().counted(method);
    } else if (method.equals(NodeProtocol.EXACT_HISTOGRAMS)) {
      return histograms().exact(method);
    }
    return report(method, request);
  }

  /** A check of the caller's permissions. */
  @FunctionalInterface
  private interface Check {
    /** Throws AccessDeniedException if the caller lacks a permission. */
    void run() throws IOException;
  }

  /** A check that fails in any other way is a refusal too. */
  private void allowed(MethodDescriptor method, Check check) throws IOException {
    try {
      check.run();
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException | RuntimeException | LinkageError e) {
      failures.add("checking permissions for " + method.getName(), e, System.nanoTime());
      throw new AccessDeniedException(
          method.getName() + " is refused: HBase's permissions can't be checked");
    }
  }

  private CallerAccess access() {
    CallerAccess now = access;
    if (now == null) {
      throw new IllegalStateException(NOT_STARTED);
    }
    return now;
  }

  private Message splits() {
    Map<String, SplitAdvice> shown = new TreeMap<>();
    // Each table is checked once: each check is a line in HBase's audit log.
    Map<String, String> refusals = new TreeMap<>();
    try {
      requests
          .followers()
          .forEach(
              (region, follower) -> {
                String refusal = refusals.computeIfAbsent(follower.table(), this::unreadable);
                shown.put(
                    region, refusal.isEmpty() ? follower.advice() : SplitAdvice.withheld(refusal));
              });
      return SplitList.message(shown);
    } catch (RuntimeException | LinkageError e) {
      failures.add(NodeProtocol.SPLITS.getName(), e, System.nanoTime());
      return SplitList.message(Map.of());
    }
  }

  /** Why the caller may not see a table's row keys; empty where it may. */
  private String unreadable(String table) {
    MethodDescriptor method = NodeProtocol.SPLITS;
    try {
      allowed(method, () -> access().requireRead(method.getName(), table));
      return "";
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  private RegionHistograms histograms() {
    return RegionHistograms.of(requests, Optional.ofNullable(server), failures);
  }

  /** Without anything in it where nothing is known, or something fails. */
  private Message history(Message request) throws IOException {
    String region = BlockList.region(request);
    MethodDescriptor method = NodeProtocol.HISTORY;
    Optional<RegionFollower> follower = requests.follower(region);
    if (follower.isPresent()) {
      allowed(method, () -> access().requireRead(method.getName(), follower.get().table()));
    }
    try {
      byte[] known =
          follower
              .flatMap(RegionFollower::accesses)
              .map(BlockAccesses::toBytes)
              .orElse(new byte[0]);
      return RegionHistory.of(region, known).message();
    } catch (RuntimeException | LinkageError e) {
      failures.add(method.getName(), e, System.nanoTime());
      return RegionHistory.of(region, new byte[0]).message();
    }
  }

  private Message cached(Message request) {
    try {
      if (cachedBlocks == null) {
        return BlockList.refused(NOT_STARTED).message();
      }
      fence.pass(ControllerEpoch.of(request));
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
        report.put(Field.PENDING, resize(request));
      } else if (method.equals(NodeProtocol.WARM)) {
        fence.pass(ControllerEpoch.of(request));
        report.put(Field.WARMED, cachedBlocks.warm(BlockList.of(request)));
      } else if (method.equals(NodeProtocol.EVICT)) {
        fence.pass(ControllerEpoch.of(request));
        report.put(Field.EVICTED, cachedBlocks.evict(BlockList.of(request)));
      } else if (method.equals(NodeProtocol.INHERIT)) {
        fence.pass(ControllerEpoch.of(request));
        RegionHistory history = RegionHistory.of(request);
        requests.expect(history.region(), BlockAccesses.of(history.accesses()));
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

  private boolean resize(Message message) {
    ResizeRequest request = ResizeRequest.of(message);
    boolean pending;
    // In one step: an older controller must not come in between and have the last word.
    synchronized (fence) {
      fence.pass(ControllerEpoch.of(message));
      pending = resizer.resize(request);
    }
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
        .put(Field.BUCKET_MAX_BYTES, memory.bucketMaxBytes())
        .put(Field.BUCKET_USED_BYTES, memory.bucketUsedBytes())
        .put(Field.CACHED_BLOCKS, memory.cachedBlocks())
        .put(Field.FOLLOWED, requests.size());
    machine.into(report);
  }

  private static String version() {
    String version = ProfileEndpoint.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }
}
