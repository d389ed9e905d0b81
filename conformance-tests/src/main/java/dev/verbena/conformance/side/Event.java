// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.AsyncEventType;

/**
 * An asynchronous event.
 *
 * @param object the handle of the object that the event is about (a queue pair, completion queue or shared receive
 *     queue), or -1
 */
public record Event(AsyncEventType type, int object) {}
