package io.trimtab.providers.hosts;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The free hosts.
 *
 * @param hosts in the order in which they are taken
 * @param because why there is none, where there is none, a clause
 */
record FreeHosts(List<String> hosts, String because) {
  private static final Logger LOG = LoggerFactory.getLogger(FreeHosts.class);
  private static final String NONE = "no host of provider.hosts.hosts is known to be free";

  /** Those of all hosts as they are now. */
  static FreeHosts of(Ssh ssh) throws EngineException {
    return new FreeHosts(
        HostLook.all(ssh).stream().filter(HostLook::free).map(HostLook::host).toList(), NONE);
  }

  /** The same; none if that can't be told. */
  static FreeHosts known(Ssh ssh) {
    try {
      return of(ssh);
    } catch (EngineException e) {
      LOG.warn("it is not known which hosts are free", e);
      // Nonsense does not pass by itself: whoever is to mend the host is told what it said.
      return new FreeHosts(List.of(), e instanceof UnusableAnswerException ? e.getMessage() : NONE);
    }
  }
}
