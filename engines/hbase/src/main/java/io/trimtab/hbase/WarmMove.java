package io.trimtab.hbase;

import io.trimtab.engineapi.LostControlException;
import io.trimtab.hbase.PluginClient.PluginAccessException;
import io.trimtab.hbasewire.BlockList;
import io.trimtab.hbasewire.BlockList.FileBlocks;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.hbasewire.RegionHistory;
import io.trimtab.host.Clocks;
import io.trimtab.host.InCharge;
import io.trimtab.host.Interrupts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.ServerName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Before a region moves: its new server reads the blocks that the old one has in its cache, and
 * learns how often each of them was requested. After it has moved: the old one drops them. A
 * courtesy, not a condition: where it fails, or a server has no plug-in, the region moves cold, and
 * its blocks stay until they are the oldest.
 */
final class WarmMove {
  private static final Logger LOG = LoggerFactory.getLogger(WarmMove.class);

  /** A region is not kept waiting for longer; what was not read by then is read on demand. */
  static final Duration LIMIT = Duration.ofSeconds(20);

  /** Blocks of a call: short enough that an interrupt is noticed soon. */
  private static final int BLOCKS_PER_CALL = 256;

  private final PluginClient plugin;
  private final Clocks clocks;
  private final Set<String> refusals = ConcurrentHashMap.newKeySet();

  WarmMove(PluginClient plugin, Clocks clocks) {
    this.plugin = plugin;
    this.clocks = clocks;
  }

  /**
   * Before a move.
   *
   * @return what is left to do when the region has moved; if the thread's interrupt flag is set, it
   *     must not move
   * @throws LostControlException if control is lost meanwhile
   */
  Runnable prepare(String encodedRegion, ServerName from, ServerName to, InCharge control)
      throws LostControlException {
    Runnable afterwards = () -> {};
    long endNs = clocks.nowNs() + LIMIT.toNanos();
    try {
      Optional<RegionHistory> history = plugin.history(from, encodedRegion);
      if (history.isPresent() && history.get().accesses().length > 0) {
        control.require();
        plugin.inherit(to, history.get());
      }
      Optional<BlockList> cached = plugin.cached(from, encodedRegion);
      if (cached.isEmpty() || !cached.get().refusal().isEmpty()) {
        return afterwards;
      }
      afterwards = () -> leave(from, cached.get(), control);
      long warmed = 0;
      for (BlockList part : parts(cached.get())) {
        if (clocks.nowNs() - endNs > 0 || Thread.currentThread().isInterrupted()) {
          break;
        }
        control.require();
        var answer = plugin.warm(to, part);
        if (answer.isEmpty() || !answer.get().text(Field.REFUSAL).isEmpty()) {
          return afterwards;
        }
        warmed += answer.get().number(Field.WARMED);
      }
      LOG.debug("{} blocks of {} are warm on {}", warmed, encodedRegion, to);
    } catch (PluginAccessException e) {
      // The same at each move, so once in the log.
      if (refusals.add(e.getMessage())) {
        LOG.warn("regions move with a cold cache: {}", e.getMessage());
      }
    } catch (IOException e) {
      if (!Interrupts.in(e)) {
        LOG.debug("{} moves cold to {}", encodedRegion, to, e);
      }
    }
    return afterwards;
  }

  /** Makes room for what comes to the old server next. */
  private void leave(ServerName from, BlockList blocks, InCharge control) {
    try {
      control.require();
      // Names suffice, and the list of blocks may be long.
      plugin.evict(
          from,
          BlockList.of(
              blocks.files().stream().map(f -> new FileBlocks(f.path(), List.of())).toList()));
    } catch (LostControlException e) {
      LOG.debug("{} keeps blocks: a successor may have brought the region back", from);
    } catch (IOException e) {
      Interrupts.in(e);
      LOG.debug("{} keeps blocks of a region that has left", from, e);
    }
  }

  static List<BlockList> parts(BlockList all) {
    List<BlockList> parts = new ArrayList<>();
    for (FileBlocks file : all.files()) {
      if (file.offsets().isEmpty()) {
        parts.add(BlockList.of(List.of(file)));
      }
      for (int i = 0; i < file.offsets().size(); i += BLOCKS_PER_CALL) {
        int to = Math.min(file.offsets().size(), i + BLOCKS_PER_CALL);
        parts.add(
            BlockList.of(List.of(new FileBlocks(file.path(), file.offsets().subList(i, to)))));
      }
    }
    return parts;
  }
}
