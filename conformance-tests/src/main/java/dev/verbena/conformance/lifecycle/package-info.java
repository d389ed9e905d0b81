/**
 * Random calls of the verbs from several threads: objects are made, used and closed in any order, and used after that. What the
 * calls achieve is not looked at; that no order of them does harm is what counts.
 */
package dev.verbena.conformance.lifecycle;
