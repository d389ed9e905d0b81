// SPDX-License-Identifier: Apache-2.0
/**
 * The common part of the bindings of this module: memory that may be registered, guards and records of uses, time, and
 * queues of events. No class of this package calls the library, and none is for users.
 */
package dev.verbena.ibverbs.internal;
