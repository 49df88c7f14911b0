/** Ganglia's gmetad and gmond, by the XML that they write to whoever connects. */
package io.trimtab.sources.ganglia;
