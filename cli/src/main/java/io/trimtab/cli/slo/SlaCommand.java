package io.trimtab.cli.slo;

import io.trimtab.clikit.Terminal;
import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import io.trimtab.formats.Sla;
import io.trimtab.formats.TableChoice;
import io.trimtab.formats.WsAgreement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Service level agreements as files. */
@Command(
    synopsisSubcommandLabel = "COMMAND",
    name = "sla",
    description = "Checks and converts service level agreements.",
    subcommands = {
      SlaCommand.Validate.class,
      SlaCommand.Schema.class,
      SlaCommand.Template.class,
      SlaCommand.Export.class,
      SlaCommand.Import.class
    },
    footer = {
      "",
      "Examples:",
      "  trimtab sla validate shop.yaml",
      "  trimtab sla template --table zipf.csv > template.xml",
      "  trimtab sla import offer.xml --template template.xml > shop.yaml",
      "  trimtab sla export shop.yaml --form agreement"
    })
public final class SlaCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a subcommand is missing");
  }

  /** Says what files ask for, or what is wrong with the first bad one. */
  @Command(
      name = "validate",
      description = "Checks agreements; reports errors with file, line and key.",
      footer = {
        "",
        "Examples:",
        "  trimtab sla validate shop.yaml",
        "  trimtab sla validate *.yaml"
      })
  static final class Validate implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "YAML.")
    private List<Path> files;

    Validate(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      for (Path file : files) {
        Sla sla = Sla.read(file);
        terminal.line(file + ": " + sla.name() + ": " + SloText.objective(sla.toObjective()));
      }
      return 0;
    }
  }

  /** For editors that check YAML while it is written. */
  @Command(
      name = "schema",
      description = "Prints the JSON Schema of agreements.",
      footer = {"", "Examples:", "  trimtab sla schema > sla.schema.json"})
  static final class Schema implements Callable<Integer> {
    private final Terminal terminal;

    Schema(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      try (InputStream in = Sla.class.getResourceAsStream("sla.schema.json")) {
        terminal.line(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip());
      } catch (IOException e) {
        throw new UserError("the schema can't be read: " + e.getMessage(), e);
      }
      return 0;
    }
  }

  /** What a provider publishes. */
  @Command(
      name = "template",
      description = {
        "Prints a WS-Agreement template from provisioning tables.",
        "It allows the workloads and the numbers of clients that were measured."
      },
      footer = {"", "Examples:", "  trimtab sla template --table zipf.csv > template.xml"})
  static final class Template implements Callable<Integer> {
    private final Terminal terminal;

    @Option(names = "--table", required = true, paramLabel = "FILE", description = "CSV.")
    private List<Path> tables;

    @Option(
        names = "--name",
        paramLabel = "NAME",
        defaultValue = "trimtab",
        description = "Name of the template; default: ${DEFAULT-VALUE}.")
    private String name;

    Template(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      terminal.line(WsAgreement.template(name, TableChoice.all(tables)));
      return 0;
    }
  }

  /** From YAML to XML. */
  @Command(
      name = "export",
      description = "Prints an agreement as WS-Agreement XML.",
      footer = {
        "",
        "Examples:",
        "  trimtab sla export shop.yaml > offer.xml",
        "  trimtab sla export shop.yaml --form agreement > agreement.xml"
      })
  static final class Export implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "YAML.")
    private Path file;

    @Option(
        names = "--form",
        paramLabel = "FORM",
        defaultValue = "offer",
        description = "Kind of document: offer or agreement; default: ${DEFAULT-VALUE}.")
    private WsAgreement.Form form;

    Export(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      terminal.line(WsAgreement.write(Sla.read(file), form));
      return 0;
    }
  }

  /** From XML to YAML. */
  @Command(
      name = "import",
      description = {
        "Prints a WS-Agreement offer or agreement as YAML.",
        "With --template, it is checked against the template's constraints. An unknown term is",
        "rejected, and its path is named."
      },
      footer = {
        "",
        "Examples:",
        "  trimtab sla import offer.xml --template template.xml > shop.yaml"
      })
  static final class Import implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "XML.")
    private Path file;

    @Option(names = "--template", paramLabel = "FILE", description = "XML.")
    private Path template;

    Import(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      Sla sla = WsAgreement.read(file.toString(), text(file));
      if (template != null) {
        WsAgreement.check(sla, template.toString(), text(template));
      }
      terminal.line(sla.yaml().strip());
      return 0;
    }

    private static String text(Path path) {
      try {
        return Files.readString(path);
      } catch (NoSuchFileException e) {
        throw new UserError(path + ": no such file", e);
      } catch (IOException e) {
        throw new UserError(path + ": can't be read: " + FileProblem.of(e), e);
      }
    }
  }
}
