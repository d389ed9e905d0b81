/**
 * A RoCEv2 device in software, modelled on Linux Soft-RoCE: the provider {@code sim} and the ways to make one. Protocol,
 * memory, queues, time and fabrics each have a package of their own below this one.
 */
package dev.verbena.sim;
