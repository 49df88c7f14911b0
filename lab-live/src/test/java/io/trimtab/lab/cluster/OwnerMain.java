package io.trimtab.lab.cluster;

/** A process that owns a lab, for the test that kills it. */
final class OwnerMain {
  private OwnerMain() {}

  public static void main(String[] args) {
    LabConfig config =
        LabConfig.defaults().withName(args[0]).withNodes(1).withIsolate(Isolate.AUTO);
    HBaseLab.up(config, Owner.PROCESS, (done, total, what) -> System.out.println(what));
  }
}
