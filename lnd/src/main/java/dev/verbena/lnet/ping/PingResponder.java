// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.ping;

import dev.verbena.lnet.Lnet;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventType;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Responds to pings, and acknowledges the pushes of nodes that discover their peers. Thread-safe.
 *
 * <p>Lustre nodes push their ping information only to a node whose features include {@link PingInfo#DISCOVERY}.
 */
public final class PingResponder implements AutoCloseable {

    /** The feature bits of a node that has one interface, does not route, and does not discover peers. */
    public static final int FEATURES = PingInfo.NI_STATUS | PingInfo.RTE_DISABLED;

    private static final int PUSH_ROOM = 4096;
    private static final int MOST_PEERS = 1024;

    private final Lnet node;
    private final MemoryDescriptor info;
    private MemoryDescriptor push;
    private final Map<Nid, PingInfo> pushed = new LinkedHashMap<>();
    private long pings;
    private long malformed;
    private boolean closed;

    private PingResponder(Lnet node, int features, int sequence) {
        this.node = node;
        byte[] bytes = PingInfo.of(node.id(), features, sequence).encode(ByteOrder.nativeOrder());
        info = MemoryDescriptor.over(MemorySegment.ofArray(bytes))
                .options(MdOption.OP_GET, MdOption.TRUNCATE, MdOption.MANAGE_REMOTE)
                .handler(this::onPing)
                .build();
        push = pushDescriptor();
    }

    /**
     * {@return an object that responds to LNet pings and reports the features {@link #FEATURES}}
     *
     * @param node the LNet node; only the returned {@code PingResponder} may use portal 0 of the node
     */
    public static PingResponder start(Lnet node) {
        return start(node, FEATURES, 1);
    }

    /**
     * {@return an object that responds to LNet pings and reports the given feature bits of the node}
     *
     * @param node the LNet node; only the returned {@code PingResponder} may use portal 0 of the node
     * @param features the feature bits of {@link PingInfo}
     * @param sequence the version number of the ping information, 1 for the first version
     */
    public static PingResponder start(Lnet node, int features, int sequence) {
        PingResponder responder = new PingResponder(node, features, sequence);
        node.attach(entry(), responder.info);
        node.attach(entry(), responder.push);
        return responder;
    }

    private static MatchEntry entry() {
        return MatchEntry.on(PingInfo.PORTAL).matchBits(PingInfo.MATCH_BITS).build();
    }

    private MemoryDescriptor pushDescriptor() {
        return MemoryDescriptor.over(MemorySegment.ofArray(new byte[PUSH_ROOM]))
                .options(MdOption.OP_PUT, MdOption.TRUNCATE)
                .threshold(1)
                .handler(this::onPush)
                .build();
    }

    private synchronized void onPing(LnetEvent event) {
        if (event.type() == LnetEventType.GET && event.isSuccess()) {
            pings++;
        }
    }

    private void onPush(LnetEvent event) {
        try {
            if (event.type() == LnetEventType.PUT && event.isSuccess()) {
                keep(event);
            }
        } finally {
            if (event.unlinked()) {
                attachNext();
            }
        }
    }

    private void attachNext() {
        MemoryDescriptor next;
        synchronized (this) {
            if (closed) {
                return;
            }
            next = pushDescriptor();
            push = next;
        }
        node.attach(entry(), next);
        // If `close()` ran before `attach`, `close()` has not unlinked the memory descriptor.
        if (isClosed()) {
            node.unlink(next);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void keep(LnetEvent event) {
        MemorySegment memory = event.memoryDescriptor().memory().slices().getFirst();
        Nid peer = event.initiator().nid();
        try {
            PingInfo told = PingInfo.decode(memory.asSlice(0, event.length()).toArray(ValueLayout.JAVA_BYTE));
            if (pushed.size() < MOST_PEERS || pushed.containsKey(peer)) {
                pushed.put(peer, told);
            }
        } catch (IllegalArgumentException e) {
            malformed++;
        }
    }

    /** {@return a map from a peer's NID to the last ping information that this peer pushed; at most 1024 peers} */
    public synchronized Map<Nid, PingInfo> pushed() {
        return new LinkedHashMap<>(pushed);
    }

    /** {@return the number of answered pings} */
    public synchronized long pings() {
        return pings;
    }

    /** {@return the number of pushes that were acknowledged and discarded, because they had no ping information} */
    public synchronized long malformed() {
        return malformed;
    }

    @Override
    public void close() {
        MemoryDescriptor open;
        synchronized (this) {
            closed = true;
            open = push;
        }
        node.unlink(info);
        node.unlink(open);
    }
}
