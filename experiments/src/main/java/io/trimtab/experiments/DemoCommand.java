package io.trimtab.experiments;

import io.trimtab.clikit.Terminal;
import io.trimtab.lab.testbed.Console;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The first thing that a new user sees. */
@Command(
    name = "demo",
    description = {
      "Shows the autopilot repair a badly placed load on a real local HBase cluster.",
      "Six tenants are placed at random; the report has throughput before, during and after the",
      "plan. How much there is to gain depends on the placement, which --seed sets."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab demo",
      "  trimtab demo --quick",
      "",
      "Takes 10 to 16 minutes on two cores, with --quick 4 to 6. Ctrl-C cleans up."
    })
public final class DemoCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--quick", description = "Use less data and shorter phases.")
  private boolean quick;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "7",
      description = "Seed of the random placement; default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      defaultValue = "trimtab-demo",
      description = "Folder for the report and the plot; default: ${DEFAULT-VALUE}.")
  private Path out;

  DemoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    new Demo(
            new Demo.DemoSettings(
                quick, seed, out.toAbsolutePath(), "demo-" + ProcessHandle.current().pid()),
            new Console(System.out, terminal.isTty()))
        .run();
    return 0;
  }
}
