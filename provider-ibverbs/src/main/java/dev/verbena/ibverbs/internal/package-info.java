// SPDX-License-Identifier: Apache-2.0
/**
 * The code that the providers {@code ibverbs} and {@code disni} share: guards that delay the destruction of C objects in
 * use, event queues, checks of access flags, and errors that the providers themselves report. No class of this package
 * calls libibverbs or librdmacm.
 */
package dev.verbena.ibverbs.internal;
