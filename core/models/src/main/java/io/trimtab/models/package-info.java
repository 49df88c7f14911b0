/** Numerical models: pure functions over primitives and records. */
package io.trimtab.models;
