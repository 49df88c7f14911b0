package io.trimtab.cli;

import io.trimtab.cli.connect.ConnectCommand;
import io.trimtab.cli.connect.ConnectionFile;
import io.trimtab.cli.connect.ConnectionNaming;
import io.trimtab.cli.control.ConfigOption;
import io.trimtab.cli.control.LedgerCommand;
import io.trimtab.cli.control.PlanCommand;
import io.trimtab.cli.control.ReleaseCommand;
import io.trimtab.cli.control.RunCommand;
import io.trimtab.cli.control.StatusCommand;
import io.trimtab.cli.control.StopCommand;
import io.trimtab.cli.control.WhyCommand;
import io.trimtab.cli.node.LoopNodeService;
import io.trimtab.cli.node.NodeCommand;
import io.trimtab.cli.node.ProviderOption;
import io.trimtab.cli.plugin.PluginCommand;
import io.trimtab.cli.slo.SlaCommand;
import io.trimtab.cli.slo.SloCommand;
import io.trimtab.cli.split.SplitCommand;
import io.trimtab.cli.usage.HitRatioCommand;
import io.trimtab.cli.usage.SnapshotCommand;
import io.trimtab.cli.usage.UsageCommand;
import io.trimtab.cli.usage.WhatIfCommand;
import io.trimtab.clikit.ClusterAddition;
import io.trimtab.clikit.ClusterNaming;
import io.trimtab.clikit.CommandModule;
import io.trimtab.clikit.NodeService;
import io.trimtab.controller.settings.Settings;
import io.trimtab.formats.SettingsFile;
import io.trimtab.formats.Sla;
import io.trimtab.providers.ProviderFile;
import io.trimtab.sources.MetricsConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The commands of production, and the registry of the databases that they know. */
public final class ProductCommands implements CommandModule {

  @Override
  public List<Added> commands() {
    return List.of(
        new Added("", 20, PlanCommand.class),
        new Added("", 30, RunCommand.class),
        new Added("", 40, StopCommand.class),
        new Added("", 45, StatusCommand.class),
        new Added("", 47, ReleaseCommand.class),
        new Added("", 48, NodeCommand.class),
        new Added("", 50, WhyCommand.class),
        new Added("", 80, PluginCommand.class),
        new Added("", 90, SplitCommand.class),
        new Added("", 100, HitRatioCommand.class),
        new Added("", 120, UsageCommand.class),
        new Added("", 130, SnapshotCommand.class),
        new Added("", 140, WhatIfCommand.class),
        new Added("", 150, LedgerCommand.class),
        new Added("", 160, SlaCommand.class),
        new Added("", 170, SloCommand.class),
        new Added("", 175, ConnectCommand.class),
        new Added("", 180, ConfigCommand.class));
  }

  @Override
  public List<ClusterNaming> namings() {
    return List.of(new HBaseNaming(), new CassandraNaming(), new ConnectionNaming());
  }

  @Override
  public List<ClusterAddition> additions() {
    return List.of(new ProviderOption());
  }

  @Override
  public Optional<NodeService> nodeService() {
    return Optional.of(new LoopNodeService());
  }

  @Override
  public Map<String, FileReader> fileKinds() {
    return Map.of(
        "provider", FileReader.strict(ProviderFile::read),
        "autopilot", ProductCommands::settings,
        "agreement", FileReader.strict(Sla::read),
        "connections", FileReader.strict(ConnectionFile::read),
        "metrics", FileReader.strict(MetricsConfig::read));
  }

  private static Settings settings(Path file, Consumer<String> warnings) {
    Settings settings = SettingsFile.read(file);
    ConfigOption.checkFiles(settings).forEach(what -> warnings.accept(file + ": " + what));
    return settings;
  }
}
