package io.trimtab.runtime.ports;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** Does with a file what is asked; for doubles in which some of it fails. */
class ForwardingFileChannel extends FileChannel {
  private final FileChannel to;

  ForwardingFileChannel(FileChannel to) {
    this.to = to;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return to.read(target);
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return to.read(targets, offset, length);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return to.read(target, position);
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    return to.write(from);
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) throws IOException {
    return to.write(from, offset, length);
  }

  @Override
  public int write(ByteBuffer from, long position) throws IOException {
    return to.write(from, position);
  }

  @Override
  public long position() throws IOException {
    return to.position();
  }

  @Override
  public FileChannel position(long position) throws IOException {
    to.position(position);
    return this;
  }

  @Override
  public long size() throws IOException {
    return to.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    to.truncate(size);
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    to.force(metaData);
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return to.transferTo(position, count, target);
  }

  @Override
  public long transferFrom(ReadableByteChannel from, long position, long count) throws IOException {
    return to.transferFrom(from, position, count);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    return to.map(mode, position, size);
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return to.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return to.tryLock(position, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    to.close();
  }
}
