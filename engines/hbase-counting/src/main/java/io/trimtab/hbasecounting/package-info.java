/** A RegionServer that counts exactly which blocks are asked for, to compare estimates with. */
package io.trimtab.hbasecounting;
