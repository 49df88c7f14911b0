package io.trimtab.cli.slo;

import io.trimtab.cli.AddedModule;
import io.trimtab.cli.MemoryModule;
import io.trimtab.cli.Run;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.ClusterTables;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.connect.NoClusterException;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From an agreement to a cluster in memory and back, as a user types it. */
@Timeout(120)
abstract class ProvisionCommands {
  /** Chalkiadaki 2013, of Table 5.1. */
  static final String TABLE =
      """
      workload,nodeType,clients,nodes,responseTimeMs,throughputMBps
      zipf,small,256,4,32.3,8.5
      zipf,small,256,5,25,9.6
      zipf,small,512,4,61,8
      zipf,small,512,5,51.4,9.8
      """;

  static final String SLA =
      """
      name: shop
      table: shop.orders
      workload: zipf
      clients: 384
      objective:
        responseTime: 40ms
      """;

  static Place place;

  /** What happens whenever a command looks at the cluster. */
  static Runnable looked;

  @TempDir Path folder;
  String table;
  String sla;
  private AddedModule added;

  /** Where there is no cluster yet; looking at it takes a minute of its time. */
  record Place(InMemoryCluster cluster, List<String> created, boolean provided)
      implements ClusterHandle {
    @Override
    public String label() {
      return "toy";
    }

    @Override
    public Engine connect() throws EngineException {
      cluster.clock().advance(Duration.ofMinutes(1));
      looked.run();
      if (cluster.truth().liveNodes().isEmpty()) {
        throw new NoClusterException("toy: nobody listens", null);
      }
      return cluster.engine();
    }

    @Override
    public Optional<NodeProvider> provider(Consumer<String> notices) {
      return provided ? Optional.of(cluster.provider()) : Optional.empty();
    }

    @Override
    public ClusterTables tables() {
      return new ClusterTables() {
        @Override
        public void check(String name) {
          if (!name.contains(".")) {
            throw new UserError("table must be keyspace.table, not " + name);
          }
        }

        @Override
        public void create(String name, int copies) {
          created.add(name + " x " + copies);
        }

        @Override
        public void drop(String name) {
          created.add("dropped " + name);
        }
      };
    }
  }

  @BeforeEach
  void files() throws Exception {
    added = new AddedModule(MemoryModule.class, folder);
    MemoryModule.answers(() -> place);
    table = file("zipf.csv", TABLE);
    sla = file("shop.yaml", SLA);
    at(ClusterSpec.assigned(7, 0), true);
    looked = () -> {};
  }

  @AfterEach
  void forgotten() {
    added.close();
    place = null;
  }

  static void at(ClusterSpec spec, boolean provided) {
    place = new Place(new InMemoryCluster(spec, new VirtualClock()), new ArrayList<>(), provided);
  }

  String file(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  Run provision(String... more) {
    return provisionOf(sla, more);
  }

  Run provisionOf(String agreement, String... more) {
    List<String> words =
        new ArrayList<>(List.of("slo", "provision", agreement, "--table", table, "--in-memory"));
    words.addAll(List.of(more));
    return Run.of(words.toArray(String[]::new));
  }

  static Run release(String... more) {
    List<String> words = new ArrayList<>(List.of("slo", "release", "shop", "--in-memory"));
    words.addAll(List.of(more));
    return Run.of(words.toArray(String[]::new));
  }

  /** The same where somebody types an answer. */
  static Run answering(String typed, String... more) {
    return answering(new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)), more);
  }

  static Run answering(InputStream typed, String... more) {
    InputStream before = System.in;
    System.setIn(typed);
    try {
      return release(more);
    } finally {
      System.setIn(before);
    }
  }

  static int live() {
    return place.cluster().truth().liveNodes().size();
  }

  static int machines() throws EngineException {
    return place.cluster().provider().machines().size();
  }
}
