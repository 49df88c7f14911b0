/** Tables that an operator's command creates and deletes; the autopilot does neither. */
package io.trimtab.cassandra.tables;
