// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("dev.verbena.QpTransition")
@Label("Queue Pair Transition")
@Description("A queue pair has moved to another state")
@Category({"Verbena", "Queue Pairs"})
@StackTrace(false)
final class QpTransitionEvent extends Event {
    @Label("Device")
    String device = "";

    @Label("Queue Pair")
    int queuePair;

    @Label("From")
    String from = "";

    @Label("To")
    String to = "";

    @Label("Cause")
    String cause = "";
}
