// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.verbs.Errno;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * LNet of one node with one interface. It finds the memory for incoming messages, sends the user's PUTs and GETs,
 * answers PUTs with ACKs and GETs with REPLYs, and reports every step as an event.
 *
 * <p>The class has no thread or clock, and may be called from several threads. One lock guards its descriptors, portals
 * and counters. The lock is never held while the driver is called. Events for handlers go to a sink that keeps them until
 * no lock is held, the others to their {@link LnetEventQueue} at once.
 * A PUT without a match is dropped without notice to its sender, unless its portal is lazy.
 *
 * <p>Source: Lustre's {@code lib-move.c}, {@code lib-msg.c}, {@code lib-ptl.c}, {@code lib-md.c}.
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
     * Creates LNet for one interface. {@link #driver} must be called before anything is sent.
     *
     * @param nid the interface's NID
     * @param random the source of the handles that are sent to peers; not that of an earlier start of the node
     * @param events receives the events that it wants, except those of event queues; called under a lock
     */
    public LnetCore(Nid nid, RandomGenerator random, LnetEventSink events) {
        this.self = ProcessId.of(nid);
        this.events = events;
        this.descriptors = new DescriptorTable(nid, random);
        this.incoming = new IncomingMessages(this, descriptors, counters);
    }

    /**
     * Sets the network driver.
     *
     * @param lnd the driver of the interface's network
     */
    public void driver(Lnd lnd) {
        driver = lnd;
    }

    /**
     * This process.
     *
     * @return NID and {@link ProcessId#LUSTRE_PID}
     */
    public ProcessId self() {
        return self;
    }

    /**
     * Offers a descriptor's memory to incoming operations.
     *
     * @param entry selects the operations; an entry that is already in its portal keeps its place
     * @param md the descriptor, not used before
     * @throws IllegalStateException if the descriptor was used before, the entry has one or is another node's, or the
     *     portal's entries are of the other kind (unique or wildcard)
     */
    public void attach(MatchEntry entry, MemoryDescriptor md) {
        synchronized (descriptors) {
            descriptors.attach(entry, md);
        }
        incoming.retryDelayed(entry.portal());
    }

    /**
     * Sets how a portal handles PUTs without a match. A lazy portal keeps them until memory for them is attached. Each
     * kept PUT holds a receive buffer and a credit of its sender, so the sender may have to wait. Another portal drops
     * them. Source: {@code LNetSetLazyPortal}, {@code LNetClearLazyPortal}.
     *
     * @param portal 0 to 63
     * @param lazy whether to keep such PUTs; if false, the kept ones are dropped now
     * @throws IllegalArgumentException if there is no such portal
     */
    public void lazy(int portal, boolean lazy) {
        synchronized (descriptors) {
            descriptors.portal(Portal.checkIndex(portal)).lazy(lazy);
        }
        if (!lazy) {
            incoming.retryDelayed(portal);
        }
    }

    /** Makes every portal drop messages without a match, also those that it kept. */
    public void shutdown() {
        for (int portal = 0; portal < Portal.COUNT; portal++) {
            lazy(portal, false);
        }
    }

    /**
     * PUTs that a lazy portal keeps.
     *
     * @param portal 0 to 63
     * @return 0 or more
     * @throws IllegalArgumentException if there is no such portal
     */
    public int delayed(int portal) {
        synchronized (descriptors) {
            return descriptors.portal(Portal.checkIndex(portal)).delayed();
        }
    }

    /**
     * Sends a descriptor's memory, whole, to a portal. Ends with a SEND event and, if requested and granted, an ACK.
     *
     * @param md the source; at most 1 MiB; a first use binds it
     * @param ack whether the target is to confirm
     * @param target the process to send to
     * @param portal the portal there, 0 to 63
     * @param matchBits the bits that select the target's entry
     * @param offset where in a remotely managed descriptor, 0 to 2^32-1
     * @param hdrData a word delivered with the target's event
     * @throws IllegalArgumentException if a parameter is out of range
     * @throws IllegalStateException if the descriptor can take no further operation
     */
    public void put(
            MemoryDescriptor md, boolean ack, ProcessId target, int portal, long matchBits, long offset, long hdrData) {
        LnetMessage message = start(md, LnetMessageType.PUT, target, portal, matchBits, offset, ack);
        message.describe(LnetEventType.SEND, LnetMessageType.PUT, portal, matchBits, hdrData);
        message.payload(md.memory(), 0, md.length());
        send(message);
    }

    /**
     * Fetches data from a portal into a descriptor's memory. Ends with a SEND and a REPLY event. Without a match at the
     * target, both fail if the memory is large enough for RDMA; otherwise no REPLY ever comes.
     *
     * @param md the sink, at most 1 MiB; a first use binds it
     * @param target the process to request data from
     * @param portal the portal there, 0 to 63
     * @param matchBits the bits that select the target's entry
     * @param offset where in a remotely managed descriptor, 0 to 2^32-1
     * @throws IllegalArgumentException if a parameter is out of range
     * @throws IllegalStateException if the descriptor can take no further operation
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
            throw new IllegalArgumentException("target " + target + " holds a wildcard; name one process");
        }
        LnetMessage message = new LnetMessage(type, self, target);
        synchronized (descriptors) {
            if (md.state() == MemoryDescriptor.State.NEW) {
                descriptors.bind(md);
            } else if (md.state() != MemoryDescriptor.State.BOUND || md.isThresholdReached()) {
                throw new IllegalStateException(md + " can start no further operation on " + portal + "/0x"
                        + Long.toHexString(matchBits) + "; make another one, or one with a higher threshold");
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
     * Takes a descriptor back. Operations in progress end first, with {@code -ETIMEDOUT} if they succeed. If there are
     * none, one UNLINK event comes at once.
     *
     * @param md the descriptor; one that is unlinked already is left alone
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
     * Takes a match entry, and its descriptor if it has one, back.
     *
     * @param entry the entry; one that is in no portal is left alone
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

    /** {@return the number of descriptors that are attached or bound} */
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

    /** Sends a complete message, or completes it with an error. */
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

    /** Hands a received message back to the driver it came from. */
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

    /** Turns the received PUT into its own ACK. */
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
