// SPDX-License-Identifier: Apache-2.0
/**
 * The code that the bindings of libibverbs and of DiSNI share: memory that can be registered, guards for native
 * objects, time, and queues of events. No class of this package calls libibverbs or librdmacm.
 */
package dev.verbena.ibverbs.internal;
