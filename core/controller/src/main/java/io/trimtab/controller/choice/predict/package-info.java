/** What nodes would use: by what is asked of them, their caches and their hardware. */
package io.trimtab.controller.choice.predict;
