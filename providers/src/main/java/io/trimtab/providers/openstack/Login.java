package io.trimtab.providers.openstack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trimtab.config.Secret;
import io.trimtab.providers.Check;
import java.nio.file.Path;

/**
 * Who Trimtab is to Keystone: a user with a project, or an application credential, which has both.
 *
 * @param user name; null with a credential
 * @param userDomain name; default {@code Default}
 * @param project name; null with a credential
 * @param projectDomain name; default {@code Default}
 * @param credential id of an application credential; null with a user
 * @param secret password of the user, or secret of the credential
 */
public record Login(
    String user,
    String userDomain,
    String project,
    String projectDomain,
    String credential,
    Secret secret) {
  public Login {
    if (credential == null) {
      Check.given("user", user);
      Check.given("project", project);
      userDomain = userDomain == null ? "Default" : userDomain;
      projectDomain = projectDomain == null ? "Default" : projectDomain;
    } else if (user != null || userDomain != null || project != null || projectDomain != null) {
      throw new IllegalArgumentException(
          "credential has its own user and project: leave out the others");
    }
    if (secret == null) {
      throw new IllegalArgumentException("secret is missing");
    }
  }

  Login in(Path folder) {
    return new Login(user, userDomain, project, projectDomain, credential, secret.in(folder));
  }

  /**
   * What Keystone is asked for a token with.
   *
   * @param proof what {@code secret} is now
   */
  ObjectNode request(String proof) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    ObjectNode auth = request.putObject("auth");
    ObjectNode identity = auth.putObject("identity");
    if (credential != null) {
      identity.putArray("methods").add("application_credential");
      identity.putObject("application_credential").put("id", credential).put("secret", proof);
      return request;
    }
    identity.putArray("methods").add("password");
    ObjectNode who = identity.putObject("password").putObject("user");
    who.put("name", user).put("password", proof);
    who.putObject("domain").put("name", userDomain);
    ObjectNode scope = auth.putObject("scope").putObject("project");
    scope.put("name", project).putObject("domain").put("name", projectDomain);
    return request;
  }
}
