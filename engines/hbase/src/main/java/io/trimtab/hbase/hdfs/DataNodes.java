package io.trimtab.hbase.hdfs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.trimtab.engineapi.snapshot.DiskSpace;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * HDFS's DataNodes with their disks, as the NameNode tells them in the attribute {@code LiveNodes}
 * of its bean {@code NameNodeInfo}.
 */
public final class DataNodes {
  public static final DataNodes NONE = new DataNodes(List.of());
  private static final JsonMapper MAPPER = new JsonMapper();

  private final List<DataNode> all;

  private record DataNode(String host, String address, DiskSpace disk) {}

  private DataNodes(List<DataNode> all) {
    this.all = List.copyOf(all);
  }

  /**
   * Reads the attribute.
   *
   * @param liveNodes a JSON object, by DataNodes' {@code host:port}
   * @throws JsonProcessingException if it is no JSON
   */
  public static DataNodes parse(String liveNodes) throws JsonProcessingException {
    List<DataNode> nodes = new ArrayList<>();
    MAPPER
        .readTree(liveNodes)
        .fields()
        .forEachRemaining(
            entry ->
                nodes.add(
                    new DataNode(
                        host(entry.getKey()),
                        host(entry.getValue().path("xferaddr").asText()),
                        disk(entry.getValue()))));
    return new DataNodes(nodes);
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  private static String host(String hostAndPort) {
    int colon = hostAndPort.lastIndexOf(':');
    String host = colon < 0 ? hostAndPort : hostAndPort.substring(0, colon);
    return host.toLowerCase(Locale.ROOT);
  }

  /**
   * Its {@code capacity} contains what the file system keeps for root, which HDFS can't use: what
   * it can is what is used and what remains.
   */
  private static DiskSpace disk(JsonNode node) {
    long stored = node.path("usedSpace").asLong(-1);
    long other = node.path("nonDfsUsedSpace").asLong(-1);
    long remaining = node.path("remaining").asLong(-1);
    return stored < 0 || other < 0 || remaining < 0
        ? DiskSpace.UNKNOWN
        : new DiskSpace(stored + other + remaining, stored + other, stored);
  }

  /**
   * The disks of the DataNode on a host, by its address if possible, since several may have one
   * name; of several the one with the least free space, because it is not known to which of them a
   * RegionServer writes. Unknown if there is none.
   */
  public DiskSpace on(String host) {
    if (isEmpty()) {
      return DiskSpace.UNKNOWN;
    }
    String address = address(host);
    String name = host.toLowerCase(Locale.ROOT);
    return fullest(node -> node.address().equals(address))
        .or(() -> fullest(node -> node.host().equals(name)))
        .orElse(DiskSpace.UNKNOWN);
  }

  private Optional<DiskSpace> fullest(Predicate<DataNode> which) {
    return all.stream()
        .filter(which)
        .map(DataNode::disk)
        .filter(DiskSpace::known)
        .min(Comparator.comparingLong(disk -> disk.capacityBytes() - disk.usedBytes()));
  }

  private static String address(String host) {
    try {
      return InetAddress.getByName(host).getHostAddress();
    } catch (UnknownHostException e) {
      return "";
    }
  }
}
