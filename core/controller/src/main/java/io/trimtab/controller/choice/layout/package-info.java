/** A cluster as it is and as it could be: what is where, and what nodes would use for it. */
package io.trimtab.controller.choice.layout;
