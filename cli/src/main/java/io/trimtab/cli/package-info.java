/** The {@code trimtab} command. Adapters are chosen here and nowhere else. */
package io.trimtab.cli;
