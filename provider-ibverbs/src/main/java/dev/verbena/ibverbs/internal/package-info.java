// SPDX-License-Identifier: Apache-2.0
/**
 * The common part of the two bindings of this module: memory that may be registered, guards for native objects, time,
 * and queues of events. No class of this package calls libibverbs or librdmacm.
 */
package dev.verbena.ibverbs.internal;
