// SPDX-License-Identifier: Apache-2.0
/**
 * Registered memory, its keys, and the check of every access. All access to registered memory uses the checks of this package.
 * This package contains no state of queue pairs.
 */
package dev.verbena.sim.memory;
