// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs objects of the software device. The verbs objects in this package implement the interfaces of {@link
 * dev.verbena.verbs}. This package contains locks, tasks and life cycles, but no transport protocol.
 */
package dev.verbena.sim.device;
