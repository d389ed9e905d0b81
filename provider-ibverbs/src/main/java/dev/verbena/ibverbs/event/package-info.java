// SPDX-License-Identifier: Apache-2.0
/**
 * The event thread of a context, the file descriptors on which the thread waits, and the events that the application
 * has not received yet.
 */
package dev.verbena.ibverbs.event;
