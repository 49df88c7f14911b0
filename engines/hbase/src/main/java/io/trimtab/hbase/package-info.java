/** The HBase engine: snapshots and verbs over HBase's public client, HTTP JMX and the plug-in. */
package io.trimtab.hbase;
