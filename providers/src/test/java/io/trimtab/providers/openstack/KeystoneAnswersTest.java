package io.trimtab.providers.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.NodeProvider;
import java.io.IOException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A Keystone that answers nonsense. */
@Timeout(60)
class KeystoneAnswersTest extends OpenStackAnswers {
  private void senseless(ThrowingCallable call, String says) {
    assertSenseless(call, "Keystone at 127.0.0.1:" + port(), says);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nobody is here, s3cr3t | is not the JSON that was asked for (line 1, column",
        "<html>s3cr3t</html> | is not the JSON that was asked for (line 1, column",
        "{\"token\":{}}{\"token\":{}} | is not the JSON that was asked for",
        "{\"token\":{},\"token\":{}} | is not the JSON that was asked for",
        "'' | has no catalogue",
        "null | has no catalogue",
        "[] | has no catalogue",
        "{\"token\":\"s3cr3t\"} | has no catalogue",
        "{\"token\":{\"catalog\":{\"s3cr3t\":1}}} | has no catalogue",
      })
  void whatIsNoTokenIsToldInOneLine(String body, String says) throws IOException {
    answer(LOGIN, body);
    NodeProvider provider = provider();

    senseless(() -> add(provider), says);
    senseless(provider::machines, says);
    assertThat(provider.offer().hindrance())
        .hasValueSatisfying(reason -> assertThat(reason).contains(says));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "s3cr3t", "ftp://h/v2.1", "http://", "http://u:s3cr3t@h/", "http://h?s3cr3t"})
  void anAddressOfNovaThatIsNoneIsNotAsked(String url) throws IOException {
    answer(LOGIN, TOKEN.formatted(CATALOG.formatted(url), "2999-01-31T12:00:00Z"));
    NodeProvider provider = provider();

    senseless(() -> add(provider), "has no address, without user and query, of compute (public)");
  }

  @Test
  void aTokenHasAnEnd() throws IOException {
    answer(LOGIN, TOKEN.formatted(CATALOG.formatted(nova()), SECRET));
    NodeProvider provider = provider();

    senseless(() -> add(provider), "has no time in expires_at");
  }

  @Test
  void oneTokenIsGivenAndNoneThatCanNotBeSent() throws IOException {
    NodeProvider provider = provider();
    String says = "the answer to a login has not one token in X-Subject-Token";
    for (List<String> given :
        List.of(List.<String>of(), List.of(""), List.of("s3cr3t word"), List.of("s3cr3t", "b"))) {
      tokens = given;
      senseless(() -> add(provider), says);
    }
  }

  /** The answer makes sense, and the settings or the cloud have to be changed. */
  @Test
  void aCatalogueWithoutNovaIsNoNonsense() throws IOException {
    NodeProvider provider = provider();
    for (String catalog : List.of("[]", "[{\"type\":\"identity\"}]")) {
      answer(LOGIN, TOKEN.formatted(catalog, "2999-01-31T12:00:00Z"));
      fails(() -> add(provider), "its catalogue has no public address of compute");
    }
  }

  @Test
  void whoFailsOrIsNotReachedAnswersNoNonsense() throws IOException {
    NodeProvider provider = provider();
    status = 500;
    answers = request -> "<html>nobody is here</html>";
    fails(() -> add(provider), "POST /v3/auth/tokens: HTTP status 500");
    answers = request -> "";
    fails(() -> add(provider), "POST /v3/auth/tokens: HTTP status 500");
    status = 404;
    fails(() -> add(provider), "POST /v3/auth/tokens: HTTP status 404");
    NodeProvider refused = provider(NOBODY);
    fails(() -> add(refused), "Keystone at 127.0.0.1:1, POST /v3/auth/tokens: ");
  }
}
