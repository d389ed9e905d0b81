/**
 * Connection management: MADs on QP1 and the state machines behind {@link dev.verbena.cm.ConnectionManager}, byte-compatible
 * with Linux's rdma_cm. The protocol engine is pure; what touches devices and runtimes stands beside it. No queue pair's data
 * path lives here.
 */
package dev.verbena.sim.cm;
