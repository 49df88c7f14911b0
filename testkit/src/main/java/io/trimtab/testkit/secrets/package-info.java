/** Whether objects show what they hold. */
package io.trimtab.testkit.secrets;
