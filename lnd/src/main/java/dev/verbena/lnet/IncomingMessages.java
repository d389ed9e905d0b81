// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.verbs.Errno;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Handles the messages that an LND has received: checks the LNet header, and finds the memory under LNet's lock. After LNet
 * has released its lock, the LND receives the payload, or LNet sends the response.
 */
final class IncomingMessages {

    private final LnetCore node;
    private final DescriptorTable descriptors;
    private final LnetCounters counters;
    /** The source of the previous incoming message; the next incoming message probably has the same source. */
    private ProcessId lastSource = ProcessId.ANY;
    /** The portal of the previous incoming message; the next incoming message probably has the same portal. */
    private Portal lastPortal;

    IncomingMessages(LnetCore node, DescriptorTable descriptors, LnetCounters counters) {
        this.node = node;
        this.descriptors = descriptors;
        this.counters = counters;
        lastPortal = descriptors.portal(0);
    }

    int parse(LnetHeader header, Nid from, ReceiveHandle handle, boolean rdmaRequest) {
        @Nullable LnetMessageType type = LnetMessageType.of(header.typeCode());
        long payload = header.payloadLength();
        if (type == null || !isValidLength(type, payload)) {
            return -Errno.EPROTO.number();
        }
        Nid destination = header.likelyDestination(node.self()).nid();
        if (!destination.equals(node.self().nid())
                && !(destination.equals(Nid.LOOPBACK) && from.equals(node.self().nid()))) {
            boolean misdirected = destination.network() == node.self().nid().network()
                    || destination.equals(Nid.LOOPBACK)
                    || (type == LnetMessageType.GET && rdmaRequest);
            return misdirected ? -Errno.EPROTO.number() : drop(handle, payload, DropReason.NOT_FOR_US);
        }
        if (!isGenuine(sourceOf(header), from)) {
            return drop(handle, payload, DropReason.FORGED_SOURCE);
        }
        @Nullable LnetMessage message;
        synchronized (descriptors) {
            if (type == LnetMessageType.PUT && isForLater(header)) {
                Portal.Delayed put = new Portal.Delayed(from, LnetHeader.blank().set(header), handle);
                if (descriptors.portal((int) header.putPortal()).delay(put)) {
                    return 0;
                }
            }
            message = match(type, header, rdmaRequest);
        }
        if (message == null || type != LnetMessageType.GET) {
            node.receive(handle, message, payload);
        } else if (rdmaRequest) {
            node.receive(handle, message, message.payloadLength());
        } else {
            node.receive(handle, null, 0);
            node.send(message);
        }
        return 0;
    }

    /** Begins the operation that a message requests, under LNet's lock. Returns null if LNet drops the message. */
    private @Nullable LnetMessage match(LnetMessageType type, LnetHeader header, boolean rdmaRequest) {
        return switch (type) {
            case PUT -> matchPut(header);
            case GET -> matchGet(header, rdmaRequest);
            case ACK -> matchAck(header);
            case REPLY -> matchReply(header);
            case HELLO -> throw new IllegalArgumentException("HELLO has no valid length");
        };
    }

    @SuppressWarnings("ReferenceEquality") // A write of the same reference would cause work for the garbage collector.
    private ProcessId sourceOf(LnetHeader header) {
        ProcessId source = header.likelySource(lastSource);
        if (source != lastSource) {
            lastSource = source;
        }
        return source;
    }

    /** Returns whether {@code from} is the source, or may be a router for a source in another network. */
    private boolean isGenuine(ProcessId source, Nid from) {
        Nid nid = source.nid();
        boolean routed = nid.network() != node.self().nid().network() && !nid.isAny() && !nid.equals(Nid.LOOPBACK);
        return source.pid() != ProcessId.ANY_PID && (nid.equals(from) || routed);
    }

    /** Creates a message from a header. The LND may overwrite the header when it receives the payload. */
    private LnetMessage messageOf(LnetMessageType type, LnetHeader header) {
        return new LnetMessage(type, sourceOf(header), header.likelyDestination(node.self()));
    }

    private static boolean isValidLength(LnetMessageType type, long payload) {
        return switch (type) {
            case ACK, GET -> payload == 0;
            case PUT, REPLY -> payload <= Lnd.MAX_PAYLOAD;
            case HELLO -> false;
        };
    }

    private int drop(ReceiveHandle handle, long payload, DropReason reason) {
        synchronized (descriptors) {
            counters.dropped(reason);
        }
        node.receive(handle, null, payload);
        return 0;
    }

    private @Nullable LnetMessage dropped(DropReason reason) {
        counters.dropped(reason);
        return null;
    }

    private @Nullable MemoryDescriptor findPut(LnetHeader header) {
        return find(header.putPortal(), MdOption.OP_PUT, sourceOf(header), header.matchBits());
    }

    /** Returns whether a PUT matches no entry and must be queued. */
    private boolean isForLater(LnetHeader header) {
        long portal = header.putPortal();
        return isPortal(portal) && descriptors.portal((int) portal).isLazy() && findPut(header) == null;
    }

    private @Nullable LnetMessage matchPut(LnetHeader header) {
        @Nullable MemoryDescriptor md = findPut(header);
        if (md == null) {
            return dropped(DropReason.NO_MATCH);
        }
        long length = header.payloadLength();
        long at = md.startOf(header.putOffset());
        long room = md.roomAt(at);
        if (!md.takes(length, room)) {
            return dropped(DropReason.NO_ROOM);
        }
        LnetMessage message = messageOf(LnetMessageType.PUT, header);
        begin(message, md, at, length, Math.min(length, room));
        message.describe(
                LnetEventType.PUT,
                LnetMessageType.PUT,
                (int) header.putPortal(),
                header.matchBits(),
                header.putHdrData());
        if (header.hasHandle() && !md.has(MdOption.ACK_DISABLE)) {
            message.handle(header.handle());
            message.acknowledge(true);
        }
        counters.received(LnetMessageType.PUT, message.payloadLength());
        return message;
    }

    private static boolean isPortal(long portal) {
        return portal < Portal.COUNT;
    }

    /** Matches the queued PUTs again. If the portal is no longer lazy, drops the queued PUTs that match no entry. */
    void retryDelayed(int portal) {
        Deque<Runnable> receives = new ArrayDeque<>();
        synchronized (descriptors) {
            for (Portal.Delayed put : descriptors.portal(portal).takeDelayed()) {
                LnetHeader header = put.header();
                if (!isForLater(header) || !descriptors.portal(portal).delay(put)) {
                    @Nullable LnetMessage message = matchPut(header);
                    receives.add(() -> node.receive(put.handle(), message, header.payloadLength()));
                }
            }
        }
        runAll(receives);
    }

    /** Runs all {@code receives} in order, even if one throws an exception. */
    private static void runAll(Deque<Runnable> receives) {
        try {
            while (!receives.isEmpty()) {
                receives.remove().run();
            }
        } finally {
            if (!receives.isEmpty()) {
                runAll(receives);
            }
        }
    }

    private @Nullable LnetMessage matchGet(LnetHeader header, boolean rdmaRequest) {
        @Nullable MemoryDescriptor md = find(header.getPortal(), MdOption.OP_GET, sourceOf(header), header.matchBits());
        if (md == null) {
            return dropped(DropReason.NO_MATCH);
        }
        long length = header.getSinkLength();
        long at = md.startOf(header.getOffset());
        long room = md.roomAt(at);
        if (!md.takes(length, room)) {
            return dropped(DropReason.NO_ROOM);
        }
        LnetMessage message = messageOf(LnetMessageType.GET, header);
        begin(message, md, at, length, Math.min(length, room));
        message.describe(LnetEventType.GET, LnetMessageType.GET, (int) header.getPortal(), header.matchBits(), 0);
        counters.received(LnetMessageType.GET, 0);
        message.handle(header.handle());
        message.answer(LnetMessageType.REPLY, node.self());
        if (rdmaRequest) {
            counters.sent(LnetMessageType.REPLY, message.payloadLength());
        }
        return message;
    }

    private @Nullable LnetMessage matchReply(LnetHeader header) {
        long length = header.payloadLength();
        @Nullable MemoryDescriptor md =
                descriptors.findActive(header.handle(), sourceOf(header).nid());
        // LNet drops a REPLY that contains the handle of a PUT, because a PUT's handle is only for its ACK.
        if (md == null || !md.isSink()) {
            return dropped(DropReason.UNKNOWN_HANDLE);
        }
        long taken = Math.min(length, md.length());
        if (taken < length && !md.has(MdOption.TRUNCATE)) {
            return dropped(DropReason.REPLY_TOO_LONG);
        }
        LnetMessage message = messageOf(LnetMessageType.REPLY, header);
        message.attach(md, md.localOffset());
        message.payload(md.memory(), 0, taken);
        message.range(length, taken, 0);
        message.describe(LnetEventType.REPLY, LnetMessageType.REPLY, -1, 0, 0);
        counters.received(LnetMessageType.REPLY, taken);
        return message;
    }

    private @Nullable LnetMessage matchAck(LnetHeader header) {
        @Nullable MemoryDescriptor md =
                descriptors.findActive(header.handle(), sourceOf(header).nid());
        if (md == null) {
            return dropped(DropReason.UNKNOWN_HANDLE);
        }
        LnetMessage message = messageOf(LnetMessageType.ACK, header);
        message.attach(md, md.localOffset());
        message.range(md.length(), header.ackLength(), 0);
        message.describe(LnetEventType.ACK, LnetMessageType.ACK, -1, header.matchBits(), 0);
        counters.received(LnetMessageType.ACK, 0);
        return message;
    }

    private @Nullable MemoryDescriptor find(long portal, MdOption operation, ProcessId source, long matchBits) {
        if (portal != lastPortal.index()) {
            if (!isPortal(portal)) {
                return null;
            }
            lastPortal = descriptors.portal((int) portal);
        }
        return lastPortal.find(operation, source, matchBits);
    }

    /** Counts the operation on the memory descriptor. The operation may exhaust the memory descriptor. */
    private void begin(LnetMessage message, MemoryDescriptor md, long at, long requested, long taken) {
        message.attach(md, at + taken);
        message.payload(md.memory(), at, taken);
        message.range(requested, taken, at);
        if (md.isExhausted() && md.unlinksItself()) {
            descriptors.disconnect(md, false);
        }
    }
}
