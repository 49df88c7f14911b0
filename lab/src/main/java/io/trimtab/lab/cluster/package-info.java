/** Local clusters of real engines: processes, their isolation, their start and their end. */
package io.trimtab.lab.cluster;
