package io.trimtab.controller.agreement;

import io.trimtab.controller.observe.Service;
import java.util.List;
import java.util.stream.Collectors;

/** An agreement, and how it is kept. */
public record Judged(Service service, Compliance now) {
  public boolean isMissed() {
    return !now.misses().isEmpty();
  }

  /** What is missed, a clause. */
  public String broken() {
    return service.tenant() + ": " + String.join(", ", now.misses());
  }

  /** That some are kept, a clause. */
  public static String kept(List<Judged> judged) {
    return judged.stream()
        .map(each -> each.service().tenant() + "'s agreement is kept: " + each.now().description())
        .collect(Collectors.joining("; "));
  }
}
