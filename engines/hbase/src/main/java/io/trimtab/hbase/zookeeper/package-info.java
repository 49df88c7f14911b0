/** What controllers keep in the cluster's ZooKeeper: lock, epoch, documents, emptied servers. */
package io.trimtab.hbase.zookeeper;
