package io.trimtab.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.Bytes;
import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import io.trimtab.models.capacity.ProvisioningTable;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of one workload that were measured with other data; a table's response time names it. */
class TableChoiceTest {
  private static final Path AGREEMENT = Path.of("shop.yaml");
  private static final double ANY = Double.NaN;

  @TempDir Path folder;
  private final List<Path> files = new ArrayList<>();

  private void table(String nodeType, double ms, TableProfile profile) {
    Path file = folder.resolve("t" + files.size() + ".csv");
    ProvisioningFile.append(file, new Cell("zipf", nodeType, 100, 3, ms, 4, ANY, ANY, 1), profile);
    files.add(file);
  }

  private static TableProfile profile(
      String data, String row, Sla.Locality locality, Double reads) {
    return new TableProfile(Bytes.parse(data), Bytes.parse(row), locality, reads);
  }

  private ProvisioningTable chosen(String more) {
    Sla sla =
        StrictYaml.parse(
            "shop.yaml",
            "{name: shop, workload: zipf, clients: 100, objective: {responseTime: 40ms}, %s}"
                .formatted(more),
            Sla.class);
    return TableChoice.of(AGREEMENT, sla, files);
  }

  private double ms(String more) {
    return chosen(more).at("zipf", "small", 100, 3).responseTimeMs().value();
  }

  @Test
  void theNearestThatCoversTheAgreementIsChosen() {
    table("small", 10, profile("1g", "1k", Sla.Locality.ZIPFIAN, 1.0));
    table("small", 20, profile("10g", "1k", Sla.Locality.ZIPFIAN, 1.0));
    table("small", 30, profile("100g", "1k", Sla.Locality.ZIPFIAN, 1.0));
    table("small", 40, profile("10g", "1k", Sla.Locality.UNIFORM, 1.0));
    table("small", 50, profile("10g", "1k", Sla.Locality.ZIPFIAN, 0.5));

    assertThat(ms("dataSize: 10g, locality: zipfian, reads: 1.0")).isEqualTo(20);
    assertThat(ms("dataSize: 8g, locality: zipfian, reads: 0.97")).isEqualTo(20);
    assertThat(ms("dataSize: 11g, locality: zipfian, reads: 1.0")).isEqualTo(30);
    assertThat(ms("dataSize: 10g, locality: uniform, reads: 1.0")).isEqualTo(40);
    assertThat(ms("dataSize: 2g, locality: zipfian, reads: 0.52")).isEqualTo(50);
  }

  @Test
  void whatNoTableCoversIsRefusedInOneLine() {
    table("small", 10, profile("1g", "1k", Sla.Locality.ZIPFIAN, 1.0));
    table("small", 20, profile("100g", "1k", Sla.Locality.UNIFORM, 0.5));

    assertThatThrownBy(() -> ms("dataSize: 10g, rowSize: 2k, locality: zipfian, reads: 1.0"))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "shop.yaml: no table of workload zipf covers it: "
                + files.get(0)
                + " (small): dataSize 1g < 10g, rowSize 1k < 2k; "
                + files.get(1)
                + " (small): rowSize 1k < 2k, locality uniform, not zipfian, reads 0.5, not 1.0");
  }

  @Test
  void whatIsNotToldIsNotComparedButIsFartherThanWhatIs() {
    table("small", 10, TableProfile.UNTOLD);
    assertThat(ms("dataSize: 10g, locality: zipfian, reads: 1.0")).isEqualTo(10);
    table("small", 20, profile("100g", "10k", Sla.Locality.ZIPFIAN, 1.0));
    assertThat(ms("dataSize: 10g, rowSize: 1k, locality: zipfian, reads: 1.0")).isEqualTo(20);
    assertThat(ms("dataSize: 200g")).isEqualTo(10);
  }

  @Test
  void ofTablesThatAreAsNearNoneIsTakenByItsPlaceInTheList() {
    table("small", 10, profile("1g", "1k", Sla.Locality.ZIPFIAN, 1.0));
    table("small", 20, profile("100g", "1k", Sla.Locality.ZIPFIAN, 1.0));
    assertThatThrownBy(() -> ms("rowSize: 1k"))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "shop.yaml: several tables of workload zipf on small nodes cover it equally well ("
                + files.get(0)
                + ", "
                + files.get(1)
                + "); its dataSize, rowSize, locality and reads must tell which one to use");
    assertThat(ms("dataSize: 1g")).isEqualTo(10);
  }

  @Test
  void aTableOfLargerRecordsGivesAsManySmallerOnes() {
    table("small", 10, profile("1g", "4k", Sla.Locality.ZIPFIAN, 1.0));
    assertThat(chosen("rowSize: 1k").at("zipf", "small", 100, 3).throughputMBps().value())
        .isEqualTo(1);
  }

  @Test
  void eachTypeOfNodeHasItsOwnTable() {
    table("small", 10, profile("1g", "1k", Sla.Locality.ZIPFIAN, 1.0));
    table("small", 20, profile("10g", "1k", Sla.Locality.ZIPFIAN, 1.0));
    table("large", 5, profile("5g", "1k", Sla.Locality.ZIPFIAN, 1.0));
    ProvisioningTable both = chosen("dataSize: 4g");
    assertThat(both.at("zipf", "large", 100, 3).responseTimeMs().value()).isEqualTo(5);
    assertThat(both.at("zipf", "small", 100, 3).responseTimeMs().value()).isEqualTo(20);
    assertThat(chosen("dataSize: 8g").nodeTypes("zipf")).containsExactly("small");
  }

  @Test
  void whatWasMeasuredWithIsReadAgain() {
    TableProfile profile = profile("10g", "1000b", Sla.Locality.UNIFORM, 0.95);
    table("small", 10, profile);
    table("small", 10, TableProfile.UNTOLD);
    assertThat(ProvisioningFile.read(files.get(0)).get(0).profile()).isEqualTo(profile);
    assertThat(ProvisioningFile.read(files.get(1)).get(0).profile()).isEqualTo(TableProfile.UNTOLD);
  }

  @Test
  void badProfilesAreRefusedWithTheirLine() throws IOException {
    String header = "workload,nodeType,clients,nodes,responseTimeMs,throughputMBps";
    Path file = folder.resolve("bad.csv");
    Files.writeString(file, header + ",dataSize,locality,reads\nzipf,small,1,2,3,4,%s\n");
    files.add(file);
    bad(file, "10,,", "bad.csv:2: dataSize: a size needs a unit");
    bad(file, ",random,", "bad.csv:2: locality must be uniform or zipfian, not random");
    bad(file, ",,95", "bad.csv:2: reads must be in [0, 1], not 95.0");
  }

  private void bad(Path file, String cells, String says) throws IOException {
    String template = Files.readString(file);
    Files.writeString(file, template.formatted(cells));
    assertThatThrownBy(() -> ms("")).isInstanceOf(UserError.class).hasMessageContaining(says);
    Files.writeString(file, template);
  }
}
