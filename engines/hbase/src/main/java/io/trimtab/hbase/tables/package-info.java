/** Tables' settings: what they forbid, and changes of them. */
package io.trimtab.hbase.tables;
