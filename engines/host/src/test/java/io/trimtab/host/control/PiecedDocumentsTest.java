package io.trimtab.host.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.DamagedDocumentException;
import io.trimtab.engineapi.EngineException;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Documents of any size come back whole, or are said to be damaged. */
class PiecedDocumentsTest {
  private static final int CELL_BYTES = 64;

  private final Map<String, byte[]> cells = new TreeMap<>();
  private int writesLeft = Integer.MAX_VALUE;

  private final PiecedDocuments documents =
      new PiecedDocuments(
          new PiecedDocuments.Cells() {
            @Override
            public Optional<byte[]> read(String cell) {
              return Optional.ofNullable(cells.get(cell));
            }

            @Override
            public void write(String cell, byte[] content) throws EngineException {
              if (writesLeft-- <= 0) {
                throw new EngineException("the connection is lost");
              }
              if (content.length == 0) {
                cells.remove(cell);
              } else {
                cells.put(cell, content);
              }
            }
          },
          CELL_BYTES);

  private static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }

  @Test
  void anySizeComesBackAndNothingIsLeftBehind() throws EngineException {
    for (int bytes : new int[] {1, 10, 60, 64, 65, 5_000, 100, 3_000, 2}) {
      documents.write("plan", random(bytes));
      assertThat(documents.read("plan").orElseThrow()).isEqualTo(random(bytes));
      assertThat(cells.values()).allMatch(cell -> cell.length <= CELL_BYTES);
    }
    assertThat(cells).containsOnlyKeys("plan");
    documents.write("plan", new byte[0]);
    assertThat(documents.read("plan")).isEmpty();
    assertThat(cells).isEmpty();
  }

  /** A controller that dies at any write leaves the old or the new content. */
  @Test
  void aWriterThatDiesLeavesOneContentOrTheOther() throws EngineException {
    for (int dies = 0; dies < 40; dies++) {
      writesLeft = Integer.MAX_VALUE;
      documents.write("plan", random(1_000));
      writesLeft = dies;
      try {
        documents.write("plan", random(900));
      } catch (EngineException e) {
        assertThat(e).hasMessage("the connection is lost");
      }
      assertThat(documents.read("plan").orElseThrow())
          .satisfiesAnyOf(
              c -> assertThat(c).isEqualTo(random(1_000)),
              c -> assertThat(c).isEqualTo(random(900)));
    }
  }

  @Test
  void aDamagedDocumentIsSaidToBeOne() throws EngineException {
    documents.write("plan", random(1_000));
    String piece = cells.keySet().stream().filter(k -> !k.equals("plan")).findFirst().orElseThrow();
    cells.get(piece)[3]++;
    assertDamaged("checksum");
    cells.remove(piece);
    assertDamaged("is missing");
    cells.put("plan", new byte[] {9, 9});
    assertDamaged("its first byte is 9");
    cells.put("plan", new byte[] {'p', '1'});
    assertDamaged("");
    documents.write("plan", random(10));
    assertThat(documents.read("plan").orElseThrow()).isEqualTo(random(10));
  }

  private void assertDamaged(String damage) {
    assertThatThrownBy(() -> documents.read("plan"))
        .isInstanceOf(DamagedDocumentException.class)
        .hasMessageContaining("'plan'")
        .hasMessageContaining("is damaged: ")
        .hasMessageContaining(damage);
  }
}
