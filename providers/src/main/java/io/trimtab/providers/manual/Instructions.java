package io.trimtab.providers.manual;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.NodeWanted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.providers.ProviderContext.Words;
import java.util.List;
import java.util.Optional;

/** What a person has to do, in one line each, with everything that is known of the cluster. */
record Instructions(Words words) {

  String add(ClusterSnapshot seen, Profile profile, List<Long> tokens) {
    String ring =
        tokens.isEmpty()
            ? ""
            : "; its tokens: " + String.join(",", tokens.stream().map(String::valueOf).toList());
    return "start one " + words.node() + like(seen, profile) + ring;
  }

  String replace(ClusterSnapshot seen, NodeId dead, Profile profile) {
    return "start one "
        + words.node()
        + " on another address in place of dead node "
        + dead
        + like(seen, profile);
  }

  private String like(ClusterSnapshot seen, Profile profile) {
    return NodeWanted.like(seen, profile) + ", with " + words.text(profile);
  }

  String remove(NodeId node) {
    return "stop %s %s for good, and keep its data".formatted(words.node(), node);
  }

  String restart(NodeId node, Optional<Profile> profile) {
    return "restart %s %s%s"
        .formatted(words.node(), node, profile.map(p -> " with " + words.text(p)).orElse(""));
  }

  String persist(NodeId node, Profile profile) {
    return "write into the configuration of %s %s, for its next start: %s"
        .formatted(words.node(), node, words.text(profile));
  }
}
