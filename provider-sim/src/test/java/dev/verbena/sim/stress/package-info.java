// SPDX-License-Identifier: Apache-2.0
/** Control verbs during data verbs, over real threads and sockets, with a check of every byte. */
package dev.verbena.sim.stress;
