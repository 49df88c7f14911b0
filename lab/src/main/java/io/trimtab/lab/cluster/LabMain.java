package io.trimtab.lab.cluster;

/** Development entry until the command line has {@code lab}. */
public final class LabMain {
  private LabMain() {}

  public static void main(String[] args) {
    long start = System.nanoTime();
    Progress shown =
        (done, total, what) ->
            System.out.printf(
                "[%d/%d] %5.1f s  %s%n", done + 1, total, (System.nanoTime() - start) / 1e9, what);
    switch (args[0]) {
      case "up" -> {
        LabConfig config =
            LabConfig.defaults().withName(args[1]).withNodes(Integer.parseInt(args[2]));
        HBaseLab lab = HBaseLab.up(config, shown);
        System.out.println(lab.status());
        System.out.printf("up in %.1f s%n", (System.nanoTime() - start) / 1e9);
      }
      case "status" -> System.out.println(HBaseLab.attach(args[1]).status());
      case "remove" -> {
        HBaseLab lab = HBaseLab.attach(args[1]);
        try {
          lab.provider()
              .remove(
                  lab.nodes().get(Integer.parseInt(args[2])).id(),
                  java.time.Duration.ofSeconds(40));
        } catch (io.trimtab.engineapi.EngineException e) {
          System.out.println(e.getMessage());
        }
      }
      default -> HBaseLab.down(args[1]);
    }
  }
}
