/**
 * The ping of LNet: who a node is, answered to whoever asks on portal 0, and asked of others. Also takes what nodes that discover
 * their peers tell of themselves, and acknowledges it; starts no discovery of its own.
 */
package dev.verbena.lnet.ping;
