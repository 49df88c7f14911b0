/** What HDFS tells of its DataNodes. */
package io.trimtab.hbase.hdfs;
