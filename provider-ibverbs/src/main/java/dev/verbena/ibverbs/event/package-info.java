// SPDX-License-Identifier: Apache-2.0
/** The event thread of a device or connection manager, the file descriptors that it polls, and the queued events. */
package dev.verbena.ibverbs.event;
