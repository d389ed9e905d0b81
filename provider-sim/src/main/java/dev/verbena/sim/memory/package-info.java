/**
 * What a peer or a local request may touch: registered memory, its keys, and the checks on every access. No queue pair's
 * state lives here, and no byte of registered memory is reached past these checks.
 */
package dev.verbena.sim.memory;
