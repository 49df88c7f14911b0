/** Who this side is: Kerberos for HBase, its pages and ZooKeeper. */
package io.trimtab.hbase.security;
