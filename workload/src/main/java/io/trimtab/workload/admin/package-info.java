/** What an operator does by CQL before a cluster can be used. */
package io.trimtab.workload.admin;
