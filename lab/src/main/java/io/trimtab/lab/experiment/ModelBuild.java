package io.trimtab.lab.experiment;

import io.trimtab.models.UsageModel;
import io.trimtab.runtime.ModelFile;
import io.trimtab.workload.WorkloadSpec;
import java.nio.file.Path;
import java.util.List;

/** {@code trimtab model build}: a usage model of one isolated node of this machine. */
public final class ModelBuild {

  /**
   * What to measure.
   *
   * @param hitRatios in (0, 1]; empty for the default ones
   * @param levels of usage, in (0, 1); empty for the default ones
   * @param quick fewer points and shorter measurements
   * @param resume go on with an interrupted build of the same file
   */
  public record Options(
      List<Double> hitRatios, List<Double> levels, boolean quick, boolean resume) {}

  private ModelBuild() {}

  /**
   * @param out where the model goes; measurements are beside it until it is whole
   */
  public static UsageModel run(Options options, Path out, String labName, Console console)
      throws Exception {
    ModelMemory memory =
        ModelMemory.of(
            out.toAbsolutePath().resolveSibling(out.getFileName() + ".partial"), options.resume());
    if (memory.size() > 0) {
      console.step(memory.size() + " measurements are known from the interrupted build");
    }
    ModelBuilder.Plan plan =
        (options.quick() ? ModelBuilder.Plan.quick() : ModelBuilder.Plan.full())
            .with(options.hitRatios(), options.levels());
    BedSettings settings = BedSettings.single();
    var spec = new WorkloadSpec(null, null, ModelBuilder.tenants(settings, plan));
    try (Bed bed = Bed.open(settings, spec, labName, console)) {
      ModelBuilder.prepare(bed);
      UsageModel model = new ModelBuilder(bed, console, plan, memory).build();
      ModelFile.write(out, model);
      memory.forget();
      return model;
    }
  }
}
