/**
 * The verbs: devices, protection domains, memory, queues, work requests, completions, and the types they speak in.
 *
 * <p>Names are the InfiniBand specification's and libibverbs', spelled out. Here live interfaces that providers implement
 * and immutable values; no behaviour that a provider could want to do otherwise, no I/O, no threads.
 *
 * <p>How things fail: the control path throws {@link dev.verbena.verbs.VerbsException} with an errno; the data path
 * returns how much was done and never throws for a full queue; misuse that no peer can cause (an object closed, an index
 * out of range) is an unchecked exception.
 */
package dev.verbena.verbs;
