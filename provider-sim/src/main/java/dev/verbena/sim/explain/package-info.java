// SPDX-License-Identifier: Apache-2.0
/**
 * Diagnostic data of queue pairs ({@link QpRecord}), and the diagnoses made from this data. Requester, completer and
 * responder write the diagnostic data. A diagnosis is made when an application requests it.
 */
@NullMarked
package dev.verbena.sim.explain;

import org.jspecify.annotations.NullMarked;
