package io.trimtab.providers.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.trimtab.engineapi.Profile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example of a machine's first start, run as it stands but for its folders, the address of the
 * metadata service and {@code systemctl}.
 */
class UserDataScriptTest {
  private static final Path EXAMPLE = Path.of("..", "examples", "user-data.sh");
  private static final String TAGS = "/latest/meta-data/tags/instance/";
  private static final String TOKEN = "a-token";
  private static final Profile FIRST = Profile.READ;
  private static final Profile LATER = Profile.WRITE;

  @TempDir private Path root;
  private HttpServer metadata;

  /** By path; what is missing is not there, as on the other cloud. */
  private final Map<String, String> pages = new ConcurrentHashMap<>();

  @BeforeEach
  void machine() throws IOException {
    for (String program : List.of("curl", "python3")) {
      assumeTrue(isInstalled(program), program + " is not installed");
    }
    metadata = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    metadata.createContext("/", this::answer);
    metadata.start();
    for (String folder : List.of("bin", "sbin", "systemd", "hbase/conf")) {
      Files.createDirectories(root.resolve(folder));
    }
    Files.writeString(
        root.resolve("hbase/conf/hbase-site.template"), "cache @CACHE@, memstore @MEMSTORE@\n");
    Path systemctl = root.resolve("bin/systemctl");
    Files.writeString(
        systemctl, "#!/bin/sh\necho \"$*\" >>'%s'\n".formatted(root.resolve("systemctl.log")));
    assertThat(systemctl.toFile().setExecutable(true)).isTrue();
  }

  @AfterEach
  void stop() {
    if (metadata != null) {
      metadata.stop(0);
    }
  }

  private static boolean isInstalled(String program) {
    return Arrays.stream(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String page = pages.get(exchange.getRequestMethod() + " " + path);
      boolean known =
          !path.startsWith(TAGS)
              || TOKEN.equals(exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token"));
      if (page == null || !known) {
        exchange.sendResponseHeaders(known ? 404 : 401, -1);
        return;
      }
      byte[] body = page.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private void run(Path program) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", program.toString())
            .redirectErrorStream(true)
            .redirectOutput(root.resolve("out").toFile());
    builder.environment().merge("PATH", root.resolve("bin") + ":", (path, bin) -> bin + path);
    // A proxy or a configuration of curl's would lead elsewhere.
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
    builder.environment().put("HOME", root.toString());
    Process process = builder.start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(root.resolve("out"))).isZero();
  }

  /** The machine's first start, with the profile that it was asked for with. */
  private void bootFirst() throws Exception {
    String address = "http://127.0.0.1:" + metadata.getAddress().getPort();
    String script =
        new UserData(EXAMPLE, 16_384)
            .of("c-1", "p/new-1", FIRST, List.of(), Optional.empty())
            .replace("http://169.254.169.254", address)
            .replace("/usr/local/sbin", root.resolve("sbin").toString())
            .replace("/etc/systemd/system", root.resolve("systemd").toString())
            .replace("/etc/hbase", root.resolve("hbase").toString());
    assertThat(script).doesNotContain("/etc/", "/usr/");
    run(Files.writeString(root.resolve("user-data.sh"), script));
  }

  /** What the service's unit runs before each start. */
  private String configured() throws Exception {
    run(root.resolve("sbin/trimtab-profile"));
    return Files.readString(root.resolve("hbase/conf/hbase-site.xml"));
  }

  private static String of(Profile profile) {
    return "cache %s, memstore %s%n".formatted(profile.cacheFraction(), profile.memstoreFraction());
  }

  @Test
  void theServiceIsSwitchedOnAndReadsItsProfileBeforeEachStart() throws Exception {
    bootFirst();

    Path profile = root.resolve("sbin/trimtab-profile");
    assertThat(Files.isExecutable(profile)).isTrue();
    assertThat(root.resolve("systemd/hbase-regionserver.service.d/profile.conf"))
        .content()
        .contains("[Service]", "ExecStartPre=+" + profile);
    assertThat(Files.readAllLines(root.resolve("systemctl.log")))
        .containsExactly("daemon-reload", "enable --now hbase-regionserver");
  }

  @Test
  void aMachineOfEc2StartsWithTheProfileOfItsTags() throws Exception {
    pages.put("PUT /latest/api/token", TOKEN);
    Marks.of(LATER).forEach((mark, value) -> pages.put("GET " + TAGS + mark, value));
    bootFirst();

    assertThat(configured()).isEqualTo(of(LATER));
  }

  @Test
  void aMachineOfOpenStackStartsWithTheProfileOfItsMetadata() throws Exception {
    String json = new ObjectMapper().writeValueAsString(Map.of("meta", Marks.of(LATER)));
    pages.put("GET /openstack/latest/meta_data.json", json);
    bootFirst();

    assertThat(configured()).isEqualTo(of(LATER));
  }

  /** Better as it was than not at all. */
  @Test
  void withoutTheMetadataServiceItStartsAsTheFirstTime() throws Exception {
    assertThat(Stream.of(FIRST, LATER).map(UserDataScriptTest::of)).doesNotHaveDuplicates();
    bootFirst();
    assertThat(configured()).as("it answers that it has nothing").isEqualTo(of(FIRST));

    metadata.stop(0);
    assertThat(configured()).as("it does not answer").isEqualTo(of(FIRST));
  }
}
