/**
 * The tests of perftest: latency and bandwidth of SEND, RDMA WRITE, RDMA READ and atomics between two processes, or two devices
 * of one. Written against the SPI alone: nothing here knows a provider, an option or an injector. The two ends speak a
 * protocol of their own over TCP, so that both have to be of this library; what travels through the devices does not depend on it.
 */
package dev.verbena.cli.perftest;
