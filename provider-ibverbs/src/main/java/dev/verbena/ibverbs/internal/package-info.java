// SPDX-License-Identifier: Apache-2.0
/**
 * The code that the libibverbs binding and the DiSNI binding share: guards that keep native objects open, queues of
 * events, rules for access flags, and the errors that the provider itself reports. No class of this package calls
 * libibverbs or librdmacm.
 */
package dev.verbena.ibverbs.internal;
