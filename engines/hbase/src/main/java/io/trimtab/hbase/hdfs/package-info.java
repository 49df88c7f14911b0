/** Which HDFS has the data, and what it tells of its DataNodes. */
package io.trimtab.hbase.hdfs;
