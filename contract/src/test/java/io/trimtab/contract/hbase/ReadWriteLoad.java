package io.trimtab.contract.hbase;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/** Two clients that write rows and read them back, until stopped. */
final class ReadWriteLoad implements AutoCloseable {
  private static final byte[] FAMILY = {'f'};
  private static final int CLIENTS = 2;

  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong done = new AtomicLong();
  private final List<Thread> clients = new ArrayList<>();
  private volatile boolean stopping;

  ReadWriteLoad(Connection connection, TableName name) {
    for (int i = 0; i < CLIENTS; i++) {
      int client = i;
      Thread thread = new Thread(() -> run(connection, name, client), "load-" + i);
      clients.add(thread);
      thread.start();
    }
  }

  private void run(Connection connection, TableName name, int client) {
    try (Table table = connection.getTable(name)) {
      for (int i = 0; !stopping; i++) {
        byte[] row = ((i % 10) + "-" + client + "-" + i).getBytes(StandardCharsets.UTF_8);
        table.put(new Put(row).addColumn(FAMILY, FAMILY, row));
        Result got = table.get(new Get(row));
        if (!Arrays.equals(got.getValue(FAMILY, FAMILY), row)) {
          failures.add("row " + new String(row, StandardCharsets.UTF_8) + " is lost or wrong");
        }
        done.incrementAndGet();
      }
    } catch (IOException e) {
      failures.add(e.toString());
    }
  }

  void stop() throws InterruptedException {
    stopping = true;
    for (Thread client : clients) {
      client.join(TimeUnit.SECONDS.toMillis(60));
    }
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  long done() {
    return done.get();
  }

  @Override
  public void close() throws InterruptedException {
    stop();
  }
}
