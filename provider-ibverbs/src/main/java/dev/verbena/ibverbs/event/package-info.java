// SPDX-License-Identifier: Apache-2.0
/** The event thread of a context, the file descriptors on which it waits, and the events not yet delivered. */
package dev.verbena.ibverbs.event;
