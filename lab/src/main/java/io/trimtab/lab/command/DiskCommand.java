package io.trimtab.lab.command;

import io.trimtab.clikit.BytesConverter;
import io.trimtab.clikit.DurationConverter;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.Bytes;
import io.trimtab.lab.process.MemoryDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Disks in memory for labs. */
@Command(
    name = "disk",
    description = {
      "Makes and removes a disk in memory for labs, whose reads always take the same time.",
      "",
      "How long a lab's node waits for such a disk can be measured on every Linux, and does not"
          + " depend on what else the machine's disk does. It is for labs of one node. It needs"
          + " root, and Debian's nbdkit, libnbd-bin and fuse3."
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {DiskCommand.Up.class, DiskCommand.Down.class},
    footer = {
      "",
      "Examples:",
      "  trimtab lab disk up /var/tmp/disk --size 14g",
      "  TRIMTAB_HOME=/var/tmp/disk/files trimtab lab up hbase --isolate",
      "  TRIMTAB_HOME=/var/tmp/disk/files trimtab lab down",
      "  trimtab lab disk down /var/tmp/disk"
    })
final class DiskCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a subcommand is missing");
  }

  @Command(
      name = "up",
      description =
          "Makes a disk and mounts it; it stays until `lab disk down` or the machine's end.",
      footer = {
        "",
        "Examples:",
        "  trimtab lab disk up /var/tmp/disk --size 14g",
        "  trimtab lab disk up /var/tmp/disk --size 2g --read 10ms"
      })
  static final class Up implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(
        paramLabel = "FOLDER",
        description = "A new folder for it; it is mounted at FOLDER/files.")
    private Path folder;

    @Option(
        names = "--size",
        required = true,
        paramLabel = "SIZE",
        converter = BytesConverter.class,
        description = "Its size, at least 64m; what is written takes memory, until it is removed.")
    private Bytes size;

    @Option(
        names = "--read",
        defaultValue = "6ms",
        paramLabel = "TIME",
        converter = DurationConverter.class,
        description =
            "What a read takes, one at a time, from 1ms to 1s, and about 0.6 ms in addition;"
                + " default: ${DEFAULT-VALUE}, which makes 150 reads a second, as a disk of 7,200"
                + " rpm does.")
    private Duration read;

    Up(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      MemoryDisk disk = MemoryDisk.make(folder, size, read);
      terminal.line("disk is up: %s %s", Bytes.human(size.value()), disk.describe());
      terminal.line("  folder: %s", disk.files());
      terminal.line(
          "next: TRIMTAB_HOME='%s' trimtab lab up hbase; trimtab lab disk down '%s'",
          disk.files(), folder);
      return 0;
    }
  }

  @Command(
      name = "down",
      description = "Removes a disk with all that is on it, and its folder.",
      footer = {"", "Examples:", "  trimtab lab disk down /var/tmp/disk"})
  static final class Down implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FOLDER", description = "The folder that `lab disk up` was given.")
    private Path folder;

    Down(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      MemoryDisk.remove(folder);
      terminal.line("disk %s is down", folder);
      return 0;
    }
  }
}
