// SPDX-License-Identifier: Apache-2.0
/**
 * The memory that a peer or a local request may access: registered memory, its keys, and the check of every access.
 * This package has no state of queue pairs. All access to registered memory is by these checks.
 */
package dev.verbena.sim.memory;
