// SPDX-License-Identifier: Apache-2.0
/**
 * Records of the failures of queue pairs, and the explanations made from these records. Engines write the records. An
 * explanation is made when an application requests it.
 */
@NullMarked
package dev.verbena.sim.explain;

import org.jspecify.annotations.NullMarked;
