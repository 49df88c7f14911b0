/** A RegionServer that counts exactly which blocks are requested, to compare estimates with. */
package io.trimtab.hbasecounting;
