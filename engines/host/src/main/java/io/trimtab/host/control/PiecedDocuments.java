package io.trimtab.host.control;

import io.trimtab.engineapi.DamagedDocumentException;
import io.trimtab.engineapi.EngineException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Documents of any size in cells of limited size, as databases keep them: compressed and, where one
 * cell is too small, in pieces. The cell with the document's own name is written last, so that
 * readers see the old or the new content. Pieces of an earlier content are deleted after that.
 */
public final class PiecedDocuments {
  /** The state of a document was changed by a writer while it was read. */
  private static final int READ_TRIES = 5;

  private static final byte WHOLE = 'w';
  private static final byte PIECES = 'p';

  private final Cells cells;
  private final int cellBytesMax;

  /** Cells of a database. */
  public interface Cells {
    Optional<byte[]> read(String cell) throws EngineException;

    /** Writes a cell, or deletes it if the content is empty. */
    void write(String cell, byte[] content) throws EngineException;
  }

  /**
   * @param cellBytesMax content of one cell, &gt; 0
   */
  public PiecedDocuments(Cells cells, int cellBytesMax) {
    this.cells = cells;
    this.cellBytesMax = cellBytesMax;
  }

  /** A document in pieces. */
  private record Head(long generation, int pieces, long crc) {
    byte[] bytes() {
      String text = (char) PIECES + "%d %d %d".formatted(generation, pieces, crc);
      return text.getBytes(StandardCharsets.US_ASCII);
    }

    static Optional<Head> of(byte[] cell) {
      if (cell.length == 0 || cell[0] != PIECES) {
        return Optional.empty();
      }
      String[] words =
          new String(cell, 1, cell.length - 1, StandardCharsets.US_ASCII).split(" ", 3);
      return Optional.of(
          new Head(Long.parseLong(words[0]), Integer.parseInt(words[1]), Long.parseLong(words[2])));
    }

    String cell(String document, int piece) {
      return document + "." + generation + "." + piece;
    }
  }

  /**
   * A document.
   *
   * @throws DamagedDocumentException if it is not as it was written
   */
  public Optional<byte[]> read(String document) throws EngineException {
    String problem = "";
    for (int i = 0; i < READ_TRIES; i++) {
      Optional<byte[]> cell = cells.read(document);
      if (cell.isEmpty()) {
        return Optional.empty();
      }
      try {
        Optional<Head> head = Head.of(cell.get());
        return Optional.of(
            unpacked(head.isPresent() ? pieces(document, head.get()) : whole(cell.get())));
      } catch (IOException | RuntimeException e) {
        problem = String.valueOf(e.getMessage());
      }
    }
    throw new DamagedDocumentException(document, problem);
  }

  private static byte[] whole(byte[] cell) throws IOException {
    if (cell[0] != WHOLE) {
      throw new IOException("its first byte is " + cell[0]);
    }
    return Arrays.copyOfRange(cell, 1, cell.length);
  }

  private byte[] pieces(String document, Head head) throws EngineException, IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < head.pieces(); i++) {
      Optional<byte[]> piece = cells.read(head.cell(document, i));
      if (piece.isEmpty()) {
        throw new IOException("piece " + (i + 1) + " of " + head.pieces() + " is missing");
      }
      all.write(piece.get());
    }
    byte[] bytes = all.toByteArray();
    if (crc(bytes) != head.crc()) {
      throw new IOException("its checksum is wrong");
    }
    return bytes;
  }

  /** Writes a document, or deletes it if the content is empty. */
  public void write(String document, byte[] content) throws EngineException {
    Optional<Head> before = cells.read(document).flatMap(PiecedDocuments::headOrNone);
    byte[] packed = content.length == 0 ? content : packed(content);
    if (content.length == 0) {
      cells.write(document, content);
    } else if (packed.length < cellBytesMax) {
      byte[] cell = new byte[packed.length + 1];
      cell[0] = WHOLE;
      System.arraycopy(packed, 0, cell, 1, packed.length);
      cells.write(document, cell);
    } else {
      int pieces = (packed.length + cellBytesMax - 1) / cellBytesMax;
      long generation = before.map(h -> h.generation() + 1).orElse(1L);
      Head head = new Head(generation, pieces, crc(packed));
      for (int i = 0; i < pieces; i++) {
        int from = i * cellBytesMax;
        int to = Math.min(packed.length, from + cellBytesMax);
        cells.write(head.cell(document, i), Arrays.copyOfRange(packed, from, to));
      }
      cells.write(document, head.bytes());
    }
    if (before.isPresent()) {
      for (int i = 0; i < before.get().pieces(); i++) {
        cells.write(before.get().cell(document, i), new byte[0]);
      }
    }
  }

  /** A damaged head is written over. */
  private static Optional<Head> headOrNone(byte[] cell) {
    try {
      return Head.of(cell);
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private static long crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return crc.getValue();
  }

  private static byte[] packed(byte[] content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] unpacked(byte[] packed) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    }
  }
}
