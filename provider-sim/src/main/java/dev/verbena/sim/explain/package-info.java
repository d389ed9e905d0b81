// SPDX-License-Identifier: Apache-2.0
/**
 * Records of the failures of a queue pair, and the explanations made from them. Engines write the records; explanations are made when an
 * application asks for them.
 */
@NullMarked
package dev.verbena.sim.explain;

import org.jspecify.annotations.NullMarked;
