// SPDX-License-Identifier: Apache-2.0
/** The kit and flows of calls over a libibverbs and librdmacm in C, which the tests compile and whose calls fail on order. */
@NullMarked
package dev.verbena.conformance.unruly;

import org.jspecify.annotations.NullMarked;
