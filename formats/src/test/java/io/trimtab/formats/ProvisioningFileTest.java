package io.trimtab.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProvisioningFileTest {
  private static final Cell CELL = new Cell("zipf", "small", 128, 2, 23.4, 5.5, 50, 80, 3);

  @TempDir Path folder;

  @Test
  void whatIsAppendedIsReadAgain() {
    Path file = folder.resolve("new.csv");
    ProvisioningFile.append(file, CELL, TableProfile.UNTOLD);
    Cell unknown = new Cell("zipf", "small", 256, 2, 47, 5.4, Double.NaN, Double.NaN, 1);
    ProvisioningFile.append(file, unknown, TableProfile.UNTOLD);
    assertThat(ProvisioningFile.rows(file)).containsExactly(CELL, unknown);
  }

  @Test
  void aFileKeepsItsColumns() throws IOException {
    String header = "workload,nodeType,clients,nodes,responseTimeMs,throughputMBps";
    Path file = Files.writeString(folder.resolve("old.csv"), header + ",p99Ms,samples\n");
    ProvisioningFile.append(file, CELL, TableProfile.UNTOLD);
    assertThat(Files.readString(file)).endsWith("\nzipf,small,128,2,23.400,5.5000,80.000,3\n");
    assertThat(ProvisioningFile.rows(file).get(0).p95Ms()).isNaN();

    Path least = Files.writeString(folder.resolve("least.csv"), header + "\n");
    ProvisioningFile.append(least, CELL, TableProfile.UNTOLD);
    assertThat(Files.readString(least)).endsWith("\nzipf,small,128,2,23.400,5.5000\n");
  }

  @Test
  void nothingIsAppendedToAnotherKindOfFile() throws IOException {
    Path file = Files.writeString(folder.resolve("other.csv"), "a,b\n");
    assertThatThrownBy(() -> ProvisioningFile.append(file, CELL, TableProfile.UNTOLD))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("other.csv:1: the header must be");
    assertThat(file).hasContent("a,b\n");
  }
}
