package io.trimtab.providers.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.providers.ServedByHttps;
import java.io.IOException;
import java.net.URI;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** A Keystone and a Nova of a company's own authority. */
class OpenStackHttpsTest extends ServedByHttps {
  @Override
  protected Service serve(SSLContext tls) throws IOException {
    FakeOpenStack cloud = new FakeOpenStack(tls);
    return new Service(port(cloud), cloud::close);
  }

  private static int port(FakeOpenStack cloud) {
    return URI.create(cloud.address()).getPort();
  }

  @Override
  protected String settings(int port, String ca) {
    return """
        provider:
          openstack:
            auth: https://127.0.0.1:%d/v3
            login: {user: %s, project: cluster, secret: "file:secret"}
            image: 70a5
            machines: {port: 16020, type: m1.large, max: 3, poll: 100ms, keep: 0s}
            %s
        """
        .formatted(port, FakeOpenStack.USER, ca);
  }

  @Override
  protected String at(int port) {
    return "Keystone at 127.0.0.1:%d, POST /v3/auth/tokens: ".formatted(port);
  }

  @Override
  protected String setting() {
    return "provider.openstack.ca";
  }

  /** Each of the services has a certificate of its own. */
  @Test
  void aNovaThatIsNotTrustedIsToldAsThat() throws IOException {
    try (FakeOpenStack keystone = new FakeOpenStack(keys.good());
        FakeOpenStack nova = new FakeOpenStack(keys.strange())) {
      keystone.haveNovaAt(nova.address());
      refused(
          provider(settings(port(keystone), "ca: ca.pem")),
          "Nova at 127.0.0.1:%d, GET /v2.1/servers/detail: ".formatted(port(nova)) + UNTRUSTED,
          mend(setting()));
      assertThat(keystone.logins()).as("a token is kept").isEqualTo(1);
    }
  }

  /** A token is good for all servers of the project. */
  @Test
  void aNovaWithoutHttpsGetsNoTokenThatWasGivenByHttps() throws IOException {
    try (FakeOpenStack keystone = new FakeOpenStack(keys.good())) {
      keystone.haveNovaAt("http://nova.example:8774");
      assertThatThrownBy(() -> provider(settings(port(keystone), "ca: ca.pem")).capacity())
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("its public address of compute is http://nova.example:8774")
          .hasMessageContaining("provider.openstack.catalog");
    }
  }
}
