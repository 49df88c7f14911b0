package io.trimtab.host;

import io.trimtab.engineapi.snapshot.DiskSpace;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** How full disks of this machine are, by its file systems. */
public final class LocalDisks {
  private LocalDisks() {}

  /**
   * The file systems of folders together, each once. What is kept for root counts neither as used
   * nor as capacity, as {@code df} has it.
   *
   * @param folders of a node's data
   * @param storedBytes what the node stores in them; −1 if unknown
   * @throws IOException if a folder does not exist or can't be asked
   */
  public static DiskSpace of(Collection<Path> folders, long storedBytes) throws IOException {
    Set<FileStore> stores = new LinkedHashSet<>();
    for (Path folder : folders) {
      stores.add(Files.getFileStore(folder));
    }
    long capacity = 0;
    long used = 0;
    for (FileStore store : stores) {
      long its = store.getTotalSpace() - store.getUnallocatedSpace();
      used += its;
      capacity += its + store.getUsableSpace();
    }
    return new DiskSpace(capacity, stores.isEmpty() ? -1 : used, storedBytes);
  }
}
