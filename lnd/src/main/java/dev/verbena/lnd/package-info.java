/**
 * o2iblnd, the LNet driver for verbs, and {@link dev.verbena.lnd.LnetNode}, a whole LNet node over it.
 *
 * <p>One node has one interface, one listener and one registered region. Everything happens under the node's lock:
 * calls of the user, completions, connection events and timers; verbs are called with the lock held, users' handlers
 * never. The package {@code engine} has the rules of the protocol, {@code wire} the message formats; this package
 * connects both to verbs. Names in comments such as {@code kiblnd_check_sends} are Lustre's.
 */
package dev.verbena.lnd;
