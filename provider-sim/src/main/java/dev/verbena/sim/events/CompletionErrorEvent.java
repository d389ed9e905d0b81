// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("dev.verbena.CompletionError")
@Label("Completion Error")
@Description("A work request failed; flushed requests after it are not reported")
@Category({"Verbena", "Queue Pairs"})
@StackTrace(false)
final class CompletionErrorEvent extends Event {
    @Label("Device")
    String device = "";

    @Label("Queue Pair")
    int queuePair;

    @Label("Work Request")
    long workRequestId;

    @Label("Receive")
    boolean receive;

    @Label("Status")
    String status = "";

    @Label("Cause")
    String cause = "";
}
