/**
 * Connection management: MADs on QP1 and the state machines of {@link dev.verbena.cm.ConnectionManager},
 * byte-compatible with Linux's rdma_cm. The protocol engine has no side effects; separate classes use devices and
 * runtimes. The data path of queue pairs is elsewhere.
 */
package dev.verbena.sim.cm;
