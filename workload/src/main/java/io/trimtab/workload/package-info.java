/** A load generator with tenants that verifies by content everything it reads. */
package io.trimtab.workload;
