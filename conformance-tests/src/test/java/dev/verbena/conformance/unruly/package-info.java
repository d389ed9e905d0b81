// SPDX-License-Identifier: Apache-2.0
/**
 * Tests that run the kit and flows of calls over a simulated libibverbs and librdmacm in C. The simulated libraries
 * inject failures.
 */
@NullMarked
package dev.verbena.conformance.unruly;

import org.jspecify.annotations.NullMarked;
