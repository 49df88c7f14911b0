package io.trimtab.providers.manual;

import io.trimtab.engineapi.NodeProvider;
import io.trimtab.providers.Check;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderSettings;
import java.time.Duration;

/**
 * Settings of a provider who is a person.
 *
 * @param spare nodes that can be asked for and not given back, in [0, 10,000]; default 100
 * @param price of a node per hour, ≥ 0; null: not known
 * @param boot usual time until somebody has started a node, in [0 s, 7 d]; null: not known
 * @param poll time between two looks for a node that has joined, in [100 ms, 10 min]; default 15 s
 */
public record ManualSettings(Integer spare, Double price, Duration boot, Duration poll)
    implements ProviderSettings {
  public ManualSettings {
    spare = Check.within("spare", spare, 100, 0, 10_000);
    price = Check.price("price", price);
    boot = Check.boot(boot, Duration.ofDays(7));
    poll =
        Check.within(
            "poll", poll, Duration.ofSeconds(15), Duration.ofMillis(100), Duration.ofMinutes(10));
  }

  @Override
  public NodeProvider provider(ProviderContext context) {
    return new ManualProvider(this, context);
  }
}
