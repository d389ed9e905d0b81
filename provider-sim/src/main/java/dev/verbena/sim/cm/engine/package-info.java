// SPDX-License-Identifier: Apache-2.0
/**
 * The protocol engine of connection management, without side effects: connections ({@link dev.verbena.sim.cm.engine.CmEngine})
 * and service ID resolution ({@link dev.verbena.sim.cm.engine.SidrEngine}), as in ib_cm.
 */
package dev.verbena.sim.cm.engine;
