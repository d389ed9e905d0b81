/**
 * A RoCEv2 device in software, modelled on Linux Soft-RoCE: the provider {@code sim} and its factories. Protocol,
 * memory, queues, time and fabrics have separate packages below this one.
 */
package dev.verbena.sim;
