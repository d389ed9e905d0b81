// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.sim.runtime.Alarm;
import dev.verbena.sim.runtime.SimRuntime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The simulated link from one port to another port (one direction) in virtual time. The link transmits packets sequentially
 * at its rate. Each packet arrives one link latency after the end of its transmission. The packets arrive in order, so the
 * link needs only one timer, for the next arrival. It needs no lock: in virtual time, only one thread runs at a time.
 */
final class DelayedLink {
    private static final int INITIAL_CAPACITY = 64;

    private final SimRuntime runtime;
    private final LinkProperties properties;
    private final long latencyNanos;
    private final InProcessPort destination;
    private final Alarm arrival;

    /**
     * A ring of the packets in flight. The ring's capacity is a power of two. The array {@code arrivals} contains the arrival
     * time of each packet.
     */
    private @Nullable SimPacket[] packets = new SimPacket[INITIAL_CAPACITY];

    private long[] arrivals = new long[INITIAL_CAPACITY];
    private int first;
    private int count;
    private long idleFrom;

    DelayedLink(SimRuntime runtime, LinkProperties properties, InProcessPort destination) {
        this.runtime = runtime;
        this.properties = properties;
        this.latencyNanos = properties.latency().toNanos();
        this.destination = destination;
        this.arrival = runtime.newAlarm(this::deliverFirst);
    }

    InProcessPort destination() {
        return destination;
    }

    void send(SimPacket packet) {
        idleFrom = Math.max(idleFrom, runtime.nanoTime()) + properties.serializationNanos(packet.length());
        if (count == packets.length) {
            grow();
        }
        int slot = (first + count) & (packets.length - 1);
        packets[slot] = packet;
        arrivals[slot] = idleFrom + latencyNanos;
        if (count++ == 0) {
            arrival.set(arrivals[slot]);
        }
    }

    /** Delivers the first packet only. The destination port handles each packet before the next packet arrives. */
    private void deliverFirst() {
        SimPacket packet = Objects.requireNonNull(packets[first]);
        packets[first] = null;
        first = (first + 1) & (packets.length - 1);
        if (--count > 0) {
            arrival.set(arrivals[first]);
        }
        destination.deliver(packet);
    }

    private void grow() {
        int capacity = packets.length;
        @Nullable SimPacket[] morePackets = new SimPacket[2 * capacity];
        long[] moreArrivals = new long[2 * capacity];
        for (int i = 0; i < capacity; i++) {
            int from = (first + i) & (capacity - 1);
            morePackets[i] = packets[from];
            moreArrivals[i] = arrivals[from];
        }
        packets = morePackets;
        arrivals = moreArrivals;
        first = 0;
    }
}
