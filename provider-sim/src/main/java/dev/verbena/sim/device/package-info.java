// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs objects of the simulated device. They implement {@link dev.verbena.verbs} with the engines, queues and memory of the
 * other packages. This package holds locks, tasks and life cycles; it contains no transport protocol.
 */
package dev.verbena.sim.device;
