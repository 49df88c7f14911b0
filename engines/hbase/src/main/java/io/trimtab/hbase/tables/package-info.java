/** Changes of tables' settings. */
package io.trimtab.hbase.tables;
