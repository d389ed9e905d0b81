/**
 * The rules of o2iblnd as objects that neither know verbs nor time nor threads: credits, transmit queues, the split of a
 * transfer into RDMA writes, and what to answer when somebody connects.
 *
 * <p>Events and the present time go in; posts, completions and decisions come out. The owner serializes the calls.
 */
package dev.verbena.lnd.engine;
