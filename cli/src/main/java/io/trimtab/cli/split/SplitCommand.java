package io.trimtab.cli.split;

import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import io.trimtab.plugincore.KeyImage;
import io.trimtab.plugincore.SplitAdvice;
import io.trimtab.plugincore.SplitEstimator;
import io.trimtab.plugincore.SplitTracker;
import io.trimtab.plugincore.SteppingEstimator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where a partition's requests halve: of a list of requests, or of a live cluster. */
@Command(
    name = "split",
    description = {
      "Finds the key at which the requests of a partition halve.",
      "With --keys the requests come from a file, one key a line, and no cluster is contacted.",
      "advise and apply work on a live cluster."
    },
    synopsisSubcommandLabel = "[advise | apply]",
    subcommands = {SplitAdvise.class, SplitApply.class},
    footer = {
      "",
      "Examples:",
      "  trimtab split --keys requests.txt",
      "  trimtab split --keys - --hex --json",
      "  trimtab split --keys requests.txt --estimator pingpong --pairs 8 --trace 1000 --json",
      "  trimtab split advise --lab lab",
      "  trimtab split apply usertable/3f2a9c11 --lab lab --act"
    })
public final class SplitCommand implements Callable<Integer> {
  private static final String STDIN = "-";

  /** Who estimates. */
  enum Estimator {
    SKETCH,
    LINEAR,
    EXPONENTIAL,
    PINGPONG
  }

  private final Terminal terminal;

  @Spec private CommandSpec spec;

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description = "File with one key per line, UTF-8; - for standard input.")
  private String keys;

  @Option(names = "--hex", description = "Keys are in hexadecimal digits.")
  private boolean hex;

  @Option(
      names = "--weights",
      description = "Each line ends with a tab and the number of requests for the key.")
  private boolean weights;

  @Option(
      names = "--estimator",
      paramLabel = "NAME",
      defaultValue = "sketch",
      description =
          "Estimator: sketch, linear, exponential or pingpong; default: ${DEFAULT-VALUE}.")
  private Estimator estimator;

  @Option(
      names = "--pairs",
      paramLabel = "P",
      defaultValue = "4",
      description = "For pingpong: pairs of turns before the steps become linear; default: 4.")
  private int pairs;

  @Option(
      names = "--trace",
      paramLabel = "N",
      description = "With --json: also print the estimate after every N requests.")
  private int trace;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  SplitCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  private record Request(byte[] key, long weight) {}

  @Override
  public Integer call() {
    if (keys == null) {
      throw new ParameterException(
          spec.commandLine(), "give --keys FILE, or the subcommand advise or apply");
    }
    if (pairs < 1) {
      throw new UserError("--pairs must be at least 1, not " + pairs);
    }
    if (trace < 0) {
      throw new UserError("--trace must be at least 1, not " + trace);
    }
    if (trace > 0 && !json) {
      throw new UserError("--trace goes with --json only");
    }
    List<Request> requests = read();
    if (requests.isEmpty()) {
      throw new UserError(keys + ": has no keys");
    }
    List<Map<String, Object>> traced = new ArrayList<>();
    Map<String, Object> result =
        estimator == Estimator.SKETCH ? sketch(requests, traced) : stepping(requests, traced);
    if (trace > 0) {
      result.put("trace", traced);
    }
    terminal.line(json ? JsonOutput.text(result) : text(result));
    return 0;
  }

  private Map<String, Object> sketch(List<Request> requests, List<Map<String, Object>> traced) {
    SplitTracker tracker = new SplitTracker(new byte[0], new byte[0]);
    long seen = 0;
    for (Request request : requests) {
      for (long i = 0; i < request.weight(); i++) {
        tracker.add(request.key());
        seen++;
        if (trace > 0 && seen % trace == 0) {
          traced.add(describe(tracker.advice()));
        }
      }
    }
    return describe(tracker.advice());
  }

  private Map<String, Object> describe(SplitAdvice advice) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("splitKey", advice.key().length == 0 ? null : name(advice.key()));
    result.put("leftShare", Double.isNaN(advice.leftShare()) ? null : advice.leftShare());
    result.put("bound", advice.bound());
    result.put("verdict", advice.verdict().toString());
    result.put("requests", advice.requests());
    result.put("reason", advice.reason());
    return result;
  }

  /** The thesis's estimators know no shares; those of the whole list are counted for them. */
  private Map<String, Object> stepping(List<Request> requests, List<Map<String, Object>> traced) {
    byte[] prefix = requests.get(0).key();
    for (Request request : requests) {
      int shared = 0;
      while (shared < Math.min(prefix.length, request.key().length)
          && prefix[shared] == request.key()[shared]) {
        shared++;
      }
      prefix = java.util.Arrays.copyOf(prefix, shared);
    }
    KeyImage images = new KeyImage(prefix);
    SplitEstimator stepping =
        switch (estimator) {
          case LINEAR -> SteppingEstimator.linear(0);
          case EXPONENTIAL -> SteppingEstimator.exponential(0);
          default -> SteppingEstimator.pingPong(pairs, 0);
        };
    long seen = 0;
    for (Request request : requests) {
      for (long i = 0; i < request.weight(); i++) {
        stepping.add(images.image(request.key()));
        seen++;
        if (trace > 0 && seen % trace == 0) {
          traced.add(estimate(images, stepping, requests, seen));
        }
      }
    }
    return estimate(images, stepping, requests, seen);
  }

  private Map<String, Object> estimate(
      KeyImage images, SplitEstimator stepping, List<Request> requests, long seen) {
    long split = stepping.split().orElseThrow();
    long left = 0;
    long all = 0;
    for (Request request : requests) {
      all += request.weight();
      left += images.image(request.key()) < split ? request.weight() : 0;
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("splitKey", name(images.key(split)));
    result.put("leftShare", (double) left / all);
    result.put("requests", seen);
    return result;
  }

  private String text(Map<String, Object> result) {
    StringBuilder lines = new StringBuilder();
    result.forEach(
        (name, value) -> {
          if (value != null && !name.equals("trace")) {
            lines.append(
                String.format(
                    Locale.ROOT,
                    "%-10s %s%n",
                    name,
                    value instanceof Double share ? String.format("%.3f", share) : value));
          }
        });
    return lines.toString().stripTrailing();
  }

  /** UTF-8 where the key is that, else its bytes in hexadecimal digits. */
  private String name(byte[] key) {
    if (hex) {
      return HexFormat.of().formatHex(key);
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
      if (text.chars().noneMatch(Character::isISOControl)) {
        return text;
      }
    } catch (CharacterCodingException e) {
      // Bytes that are no text have no other name than their digits.
      return "0x" + HexFormat.of().formatHex(key);
    }
    return "0x" + HexFormat.of().formatHex(key);
  }

  private List<Request> read() {
    List<Request> requests = new ArrayList<>();
    try (InputStream in = keys.equals(STDIN) ? System.in : Files.newInputStream(Path.of(keys));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      String line;
      for (int number = 1; (line = lines.readLine()) != null; number++) {
        requests.add(request(line, number));
      }
    } catch (NoSuchFileException e) {
      throw new UserError(keys + ": no such file", e);
    } catch (IOException e) {
      throw new UserError(keys + ": can't be read: " + FileProblem.of(e), e);
    }
    return requests;
  }

  private Request request(String line, int number) {
    String key = line;
    long weight = 1;
    if (weights) {
      int tab = line.lastIndexOf('\t');
      try {
        weight = Long.parseLong(line.substring(tab + 1).strip());
      } catch (NumberFormatException e) {
        throw new UserError(keys + ":" + number + ": a line must be a key, a tab and a number", e);
      }
      if (tab < 0 || weight < 0) {
        throw new UserError(keys + ":" + number + ": a line must be a key, a tab and a number ≥ 0");
      }
      key = line.substring(0, tab);
    }
    if (key.isEmpty()) {
      throw new UserError(keys + ":" + number + ": a row key must not be empty");
    }
    try {
      return new Request(
          hex ? HexFormat.of().parseHex(key.strip()) : key.getBytes(StandardCharsets.UTF_8),
          weight);
    } catch (IllegalArgumentException e) {
      throw new UserError(keys + ":" + number + ": not hexadecimal digits: " + key, e);
    }
  }
}
