// SPDX-License-Identifier: Apache-2.0
/** The event thread of a context, the descriptors that it waits on, and the events that wait for the program. */
package dev.verbena.ibverbs.event;
