// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.verbs.Errno;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * LNet of a node with one network interface: matches incoming messages, sends the PUTs and GETs of applications, responds
 * to PUTs with ACKs and to GETs with REPLYs, and reports events.
 *
 * <p>This class uses no thread and no clock; several threads may call its methods. One lock guards the node's memory
 * descriptors, portals and counters. LNet does not hold its lock while it calls the LND. The {@link LnetEventSink} queues
 * the events for event handlers, which run later without a lock. LNet adds the events for a {@link LnetEventQueue} directly
 * to this queue. Unless the portal is lazy, a PUT that matches no entry is dropped, and its sender is not notified. Source:
 * {@code lib-move.c}, {@code lib-msg.c}, {@code lib-ptl.c} and {@code lib-md.c} of Lustre.
 */
public final class LnetCore implements LndHost {

    private final ProcessId self;
    private final LnetEventSink events;
    private final DescriptorTable descriptors;
    private final LnetCounters counters = new LnetCounters();
    private final IncomingMessages incoming;
    private final Lnd loopback = new LoopbackLnd(this);
    private @Nullable Lnd driver;

    /**
     * Creates LNet for one network interface. Before a message is sent, the caller must set the LND by {@link #driver}.
     *
     * @param nid the NID of the interface
     * @param random the random generator of wire handles; after each restart of the node, the generator must have
     *     another seed
     * @param events the event consumer for memory descriptors without an event queue; LNet calls it under LNet's lock
     */
    public LnetCore(Nid nid, RandomGenerator random, LnetEventSink events) {
        this.self = ProcessId.of(nid);
        this.events = events;
        this.descriptors = new DescriptorTable(nid, random);
        this.incoming = new IncomingMessages(this, descriptors, counters);
    }

    /**
     * Sets the LND.
     *
     * @param lnd the LND that sends and receives messages through the node's network interface
     */
    public void driver(Lnd lnd) {
        driver = lnd;
    }

    /** {@return the process id of this node: its NID and {@link ProcessId#LUSTRE_PID}} */
    public ProcessId self() {
        return self;
    }

    /**
     * Attaches a memory descriptor to a portal for incoming operations.
     *
     * @param entry the match entry that selects the incoming operations; an attached entry keeps its position
     * @param md a memory descriptor that was not used before
     * @throws IllegalStateException if {@code md} was used before, if {@code entry} already has a memory descriptor or
     *     belongs to another node, or if the portal accepts only entries of the other type (unique or wildcard)
     */
    public void attach(MatchEntry entry, MemoryDescriptor md) {
        synchronized (descriptors) {
            descriptors.attach(entry, md);
        }
        incoming.retryDelayed(entry.portal());
    }

    /**
     * Sets whether a portal is lazy. A lazy portal queues PUTs that match no entry until a matching entry is attached;
     * other portals drop these PUTs. Each queued PUT occupies a receive buffer of this node and a credit of the sender. A
     * sender without a free credit must wait. Source: {@code LNetSetLazyPortal}, {@code LNetClearLazyPortal}.
     *
     * @param portal 0 to 63
     * @param lazy whether the portal queues PUTs that match no entry; if false, the PUTs queued so far are dropped
     * @throws IllegalArgumentException if the portal number is not 0 to 63
     */
    public void lazy(int portal, boolean lazy) {
        synchronized (descriptors) {
            descriptors.portal(Portal.checkIndex(portal)).lazy(lazy);
        }
        if (!lazy) {
            incoming.retryDelayed(portal);
        }
    }

    /** Makes every portal drop the messages that match no entry, including queued PUTs. */
    public void shutdown() {
        for (int portal = 0; portal < Portal.COUNT; portal++) {
            lazy(portal, false);
        }
    }

    /**
     * {@return the number of PUTs that a lazy portal has queued because no entry matches}
     *
     * @param portal 0 to 63
     * @throws IllegalArgumentException if the portal number is not 0 to 63
     */
    public int delayed(int portal) {
        synchronized (descriptors) {
            return descriptors.portal(Portal.checkIndex(portal)).delayed();
        }
    }

    /**
     * Sends the content of a memory descriptor's buffer to a target's portal. The PUT completes with a SEND event and, if
     * an ACK is requested and the target permits it, an ACK event.
     *
     * @param md the descriptor of the buffer to send, at most 1 MiB; the first operation binds the descriptor to the node
     * @param ack whether to request an ACK from the target
     * @param target the process to send to
     * @param portal the index of the target's portal, 0 to 63
     * @param matchBits the match bits that select the target's match entry
     * @param offset the offset in the target's buffer, 0 to 2^32-1, used only for a target with
     *     {@link MdOption#MANAGE_REMOTE}
     * @param hdrData a 64-bit word that appears in the target's event
     * @throws IllegalArgumentException if a parameter is out of its range
     * @throws IllegalStateException if the memory descriptor accepts no further operation
     */
    public void put(
            MemoryDescriptor md, boolean ack, ProcessId target, int portal, long matchBits, long offset, long hdrData) {
        LnetMessage message = start(md, LnetMessageType.PUT, target, portal, matchBits, offset, ack);
        message.describe(LnetEventType.SEND, LnetMessageType.PUT, portal, matchBits, hdrData);
        message.payload(md.memory(), 0, md.length());
        send(message);
    }

    /**
     * Fetches data from a target's portal into a memory descriptor's buffer. The GET completes with a SEND event and a
     * REPLY event. If no match entry accepts a GET whose buffer is too long for an IMMEDIATE message, the SEND and REPLY
     * events report an error. If no match entry accepts a GET whose buffer fits an IMMEDIATE message, the target drops the
     * GET, and LNet reports no REPLY event.
     *
     * @param md the descriptor of the buffer to fill, at most 1 MiB; the first operation binds the descriptor to the node
     * @param target the process from which to fetch the data
     * @param portal the index of the target's portal, 0 to 63
     * @param matchBits the match bits that select the target's match entry
     * @param offset the offset in the target's buffer, 0 to 2^32-1, used only for a target with
     *     {@link MdOption#MANAGE_REMOTE}
     * @throws IllegalArgumentException if a parameter is out of its range
     * @throws IllegalStateException if the memory descriptor accepts no further operation
     */
    public void get(MemoryDescriptor md, ProcessId target, int portal, long matchBits, long offset) {
        if (md.memory().isReadOnly()) {
            throw new IllegalArgumentException(md + " is read-only and cannot be the sink of a GET");
        }
        LnetMessage message = start(md, LnetMessageType.GET, target, portal, matchBits, offset, true);
        message.describe(LnetEventType.SEND, LnetMessageType.GET, portal, matchBits, 0);
        send(message);
    }

    private LnetMessage start(
            MemoryDescriptor md,
            LnetMessageType type,
            ProcessId target,
            int portal,
            long matchBits,
            long offset,
            boolean answered) {
        Portal.checkIndex(portal);
        if (offset < 0 || offset > 0xffff_ffffL) {
            throw new IllegalArgumentException("remote offset " + offset + " is not in 0..4294967295");
        }
        if (target.nid().isAny() || target.pid() == ProcessId.ANY_PID) {
            throw new IllegalArgumentException("target " + target + " contains a wildcard; specify one process");
        }
        LnetMessage message = new LnetMessage(type, self, target);
        synchronized (descriptors) {
            if (md.state() == MemoryDescriptor.State.NEW) {
                descriptors.bind(md);
            } else if (md.state() != MemoryDescriptor.State.BOUND || md.isThresholdReached()) {
                throw new IllegalStateException(md + " can start no further operation on " + portal + "/0x"
                        + Long.toHexString(matchBits) + "; create another one, or one with a higher threshold");
            }
            message.attach(md, md.localOffset());
            if (type == LnetMessageType.GET) {
                md.becomeSink();
            }
            if (answered) {
                message.handle(descriptors.name(md, target.nid()));
            }
        }
        message.range(md.length(), md.length(), 0);
        message.remoteOffset(offset);
        return message;
    }

    /**
     * Unlinks a memory descriptor as soon as it has no operation in progress. The event of an operation that is in progress
     * when {@code unlink} is called reports {@code -ETIMEDOUT}, even if the data was transferred. If no operation is in
     * progress, the memory descriptor reports an UNLINK event immediately.
     *
     * @param md the memory descriptor; the call has no effect if the memory descriptor is unlinked already
     */
    public void unlink(MemoryDescriptor md) {
        synchronized (descriptors) {
            if (md.state() != MemoryDescriptor.State.ATTACHED && md.state() != MemoryDescriptor.State.BOUND) {
                return;
            }
            descriptors.disconnect(md, true);
            if (md.isUnlinkable()) {
                md.unlinked();
                if (isWanted(md)) {
                    tell(new LnetEvent(LnetEventType.UNLINK, md, null, self, self, -1, 0, 0, 0, 0, 0, 0, true));
                }
            }
        }
    }

    /**
     * Unlinks a match entry and its memory descriptor, if the entry has one.
     *
     * @param entry the match entry; the call has no effect if the entry is in no portal
     */
    public void unlink(MatchEntry entry) {
        synchronized (descriptors) {
            @Nullable MemoryDescriptor md = entry.memoryDescriptor();
            if (md != null) {
                unlink(md);
            }
            descriptors.unlink(entry);
        }
    }

    /** {@return the number of memory descriptors that are attached to portals or bound} */
    public int descriptorCount() {
        synchronized (descriptors) {
            return descriptors.size();
        }
    }

    /** {@return a copy of the counters} */
    public LnetStatistics statistics() {
        synchronized (descriptors) {
            return counters.snapshot();
        }
    }

    void send(LnetMessage message) {
        Nid target = message.destination().nid();
        boolean local = target.equals(self.nid()) || target.equals(Nid.LOOPBACK);
        LnetMessageType type = message.type();
        int status;
        if (!local && target.network() != self.nid().network()) {
            status = -Errno.EHOSTUNREACH.number();
        } else {
            synchronized (descriptors) {
                counters.sent(type, message.payloadLength());
            }
            status = local ? loopback.send(message) : driver().send(message);
        }
        if (status < 0) {
            complete(message, status, HealthClass.ofRefusal(status));
        }
    }

    @Override
    public int parse(LnetHeader header, Nid from, ReceiveHandle handle, boolean rdmaRequest) {
        return incoming.parse(header, from, handle, rdmaRequest);
    }

    /** Asks the LND to receive or discard the payload of a received message. */
    void receive(ReceiveHandle handle, @Nullable LnetMessage message, long offered) {
        Lnd lnd = handle instanceof LoopbackLnd.Outgoing ? loopback : driver();
        int status = lnd.receive(handle, message, message == null ? 0 : message.payloadLength(), offered);
        if (status < 0 && message != null) {
            complete(message, status);
        }
    }

    private Lnd driver() {
        return Objects.requireNonNull(driver, "no LND was set");
    }

    @Override
    public void complete(LnetMessage message, int status, HealthClass health) {
        synchronized (descriptors) {
            counters.ended(health);
            @Nullable MemoryDescriptor md = message.memoryDescriptor();
            if (md != null) {
                finish(message, md, status);
            }
        }
        if (message.acknowledge() && status == 0) {
            sendAck(message);
        }
    }

    private void finish(LnetMessage message, MemoryDescriptor md, int status) {
        message.detach();
        md.end();
        boolean last = md.isUnlinkable();
        if (last) {
            descriptors.disconnect(md, false);
            md.unlinked();
        }
        if (isWanted(md)) {
            int reported = status == 0 && md.isAborted() ? -Errno.ETIMEDOUT.number() : status;
            tell(message.event(md, reported, last));
        }
    }

    private boolean isWanted(MemoryDescriptor md) {
        return md.eventQueue() != null || events.wants(md);
    }

    private void tell(LnetEvent event) {
        LnetEventQueue queue = event.memoryDescriptor().eventQueue();
        if (queue == null) {
            events.accept(event);
        } else {
            queue.add(event);
        }
    }

    /** Converts the message object of a received PUT to the ACK, and sends the ACK. */
    private void sendAck(LnetMessage message) {
        message.acknowledge(false);
        message.answer(LnetMessageType.ACK, self);
        message.payload(PayloadVector.EMPTY, 0, 0);
        send(message);
    }

    @Override
    public void peerLost(Nid peer) {
        synchronized (descriptors) {
            counters.peerLost();
        }
    }

    @Override
    public @Nullable LnetMessage createReply(LnetMessage get) {
        MemoryDescriptor md = get.attachedDescriptor();
        LnetMessage reply = new LnetMessage(LnetMessageType.REPLY, get.destination(), self);
        synchronized (descriptors) {
            if (md.isThresholdReached()) {
                return null;
            }
            reply.attach(md, md.localOffset());
        }
        reply.payload(md.memory(), 0, md.length());
        reply.range(md.length(), md.length(), 0);
        reply.describe(LnetEventType.REPLY, LnetMessageType.REPLY, -1, 0, 0);
        return reply;
    }

    @Override
    public void replyLength(LnetMessage reply, long length) {
        if (length < 0 || length > reply.payloadLength()) {
            throw new IllegalArgumentException(
                    "reply of " + length + " bytes does not fit a sink of " + reply.payloadLength());
        }
        reply.movedLength(length);
    }
}
