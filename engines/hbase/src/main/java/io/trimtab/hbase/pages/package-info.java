/** What HBase's and HDFS's servers tell on their information pages. */
package io.trimtab.hbase.pages;
