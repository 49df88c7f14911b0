/** How long values and scans are: YCSB's distributions as functions of a draw. */
package io.trimtab.workload.lengths;
