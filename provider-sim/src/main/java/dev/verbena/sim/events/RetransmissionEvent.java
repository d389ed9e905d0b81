// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("dev.verbena.Retransmission")
@Label("Retransmission")
@Description("A queue pair returns to its oldest unacknowledged packet, or has received an RNR NAK")
@Category({"Verbena", "Queue Pairs"})
@StackTrace(false)
final class RetransmissionEvent extends Event {
    @Label("Device")
    String device = "";

    @Label("Queue Pair")
    int queuePair;

    @Label("Counter")
    @Description("completer_retry_err after a timeout or a NAK, rcvd_rnr_err after an RNR NAK")
    String counter = "";

    @Label("Virtual Time")
    @Description("Nanoseconds of the device's runtime")
    long time;
}
