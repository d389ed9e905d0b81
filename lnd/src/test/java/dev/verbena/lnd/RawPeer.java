// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A peer that uses verbs directly and sends messages that a correct node never sends. */
final class RawPeer implements AutoCloseable {

    static final long STAMP = 4711;

    private static final int SERVICE = 987;
    private static final Duration LONG = Duration.ofMinutes(2);

    private final Lab lab;
    private final Nid nid;
    private final EventChannel channel;
    private final ConnectionId id;
    private final List<CmEventType> events = new ArrayList<>();
    private final List<byte[]> requests = new ArrayList<>();
    private final Deque<byte[]> rejections = new ArrayDeque<>();
    private byte[] answer = new byte[0];
    private final long sink;
    private int grantedDepth;
    private @Nullable ConnectionId accepted;
    private @Nullable RawQueuePair queuePair;

    RawPeer(Lab lab, int host) throws VerbsException {
        this(lab, host, 0);
    }

    /** Makes a peer with {@code sink} bytes for a node to write to. */
    RawPeer(Lab lab, int host, long sink) throws VerbsException {
        this(lab, host, sink, SERVICE);
    }

    /** From a port of its own, so that there may be several on a host. */
    static RawPeer fromAnyPort(Lab lab, int host) throws VerbsException {
        return new RawPeer(lab, host, 0, 0);
    }

    private RawPeer(Lab lab, int host, long sink, int port) throws VerbsException {
        this.lab = lab;
        this.sink = sink;
        nid = Lab.nid(host);
        channel = lab.manager().createEventChannel();
        id = lab.manager().createId(channel, PortSpace.TCP, null);
        id.bind(new InetSocketAddress(Lab.address(host), port));
    }

    Nid nid() {
        return nid;
    }

    /** The private data of the last REJ or REP. */
    byte[] answer() {
        return answer;
    }

    /** The private data of every request. */
    List<byte[]> requests() {
        return requests;
    }

    /** Requests a connection from a node with this private data; returns the outcome. */
    CmEventType connect(LnetNode node, byte[] privateData) throws VerbsException {
        channel.setHandler(this::onEvent);
        id.resolveAddress(null, new InetSocketAddress(Lab.address(node.nid().address() & 0xffffff), 987), LONG);
        awaitEvent();
        id.resolveRoute(LONG);
        awaitEvent();
        queuePair = new RawQueuePair(id, sink);
        id.connect(ConnectionParameters.builder().privateData(privateData).build());
        return awaitEvent();
    }

    /** Waits for nodes to connect: answers with these rejections first, then accepts the offer. */
    void listen(List<byte[]> first) throws VerbsException {
        listen(first, 0);
    }

    /** As {@link #listen(List)}, but grants this depth for every offer. */
    void listen(List<byte[]> first, int depth) throws VerbsException {
        grantedDepth = depth;
        rejections.addAll(first);
        channel.setHandler(this::onEvent);
        id.listen(0);
    }

    private CmEventType awaitEvent() {
        int before = events.size();
        lab.await(() -> events.size() > before, LONG);
        return events.getLast();
    }

    private void onEvent(CmEvent event) {
        events.add(event.type());
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            requests.add(event.privateData());
            try {
                onRequest(event);
            } catch (VerbsException e) {
                throw new AssertionError(e);
            }
        } else if (event.privateData().length > 0) {
            answer = event.privateData();
        }
    }

    private void onRequest(CmEvent event) throws VerbsException {
        if (!rejections.isEmpty()) {
            event.id().reject(rejections.remove());
            event.id().close();
            return;
        }
        byte[] data = event.privateData();
        LndMessage request = new LndMessage().wrap(MemorySegment.ofArray(data), 0);
        request.parse(data.length);
        accepted = event.id();
        queuePair = new RawQueuePair(event.id(), sink);
        byte[] reply = message(
                MessageType.CONNACK,
                request.header().sourceNid(),
                request.header().sourceStamp(),
                message -> {
                    message.connParams()
                            .set(
                                    grantedDepth == 0 ? request.connParams().queueDepth() : grantedDepth,
                                    request.connParams().maxFragments(),
                                    4096);
                });
        event.id().accept(ConnectionParameters.builder().privateData(reply).build());
    }

    /** A valid message to a node, to be spoilt. */
    byte[] message(MessageType type, LnetNode node, long nodeStamp, Consumer<LndMessage> body) {
        return message(type, node.nid(), nodeStamp, body);
    }

    private byte[] message(MessageType type, Nid node, long nodeStamp, Consumer<LndMessage> body) {
        MemorySegment buffer = MemorySegment.ofArray(new byte[4096]);
        LndMessage message = new LndMessage().wrap(buffer, 0).begin(type);
        message.header().sourceNid(nid).sourceStamp(STAMP).destinationNid(node).destinationStamp(nodeStamp);
        body.accept(message);
        return buffer.asSlice(0, message.header().length()).toArray(ValueLayout.JAVA_BYTE);
    }

    byte[] connreq(LnetNode node, int depth, int fragments) {
        return message(
                MessageType.CONNREQ, node, 0, message -> message.connParams().set(depth, fragments, 4096));
    }

    /** Connects as a node does; returns the incarnation of the other end. */
    long connectProperly(LnetNode node) throws VerbsException {
        CmEventType outcome = connect(node, connreq(node, 8, 257));
        if (outcome != CmEventType.ESTABLISHED) {
            throw new AssertionError(outcome);
        }
        return stampOfAnswer();
    }

    /** The incarnation in the private data that came last. */
    long stampOfAnswer() {
        LndMessage reply = new LndMessage().wrap(MemorySegment.ofArray(answer), 0);
        reply.parse(answer.length);
        return reply.header().sourceStamp();
    }

    void send(byte[] bytes) {
        send(bytes, Duration.ofMillis(10));
    }

    /** Sends bytes over the queue pair, and waits as long as it may take them to arrive. */
    void send(byte[] bytes, Duration time) {
        queuePair().send(bytes);
        lab.pass(time);
    }

    /** Writes bytes to memory of the node, whether it was granted or not. */
    void write(byte[] bytes, long address, int rkey) {
        queuePair().write(bytes, address, rkey);
        lab.pass(Duration.ofMillis(10));
    }

    private RawQueuePair queuePair() {
        return Objects.requireNonNull(queuePair, "not connected");
    }

    byte[] bytes(int index) {
        return queuePair().bytes(index);
    }

    /** Messages the node sent, oldest first. */
    List<LndMessage> received() {
        return queuePair == null ? List.of() : queuePair.received();
    }

    long sinkAddress() {
        return queuePair().sinkAddress();
    }

    /** The bytes that a node may write to. */
    MemorySegment sink() {
        return queuePair().sink();
    }

    MemoryRegion region() {
        return queuePair().region();
    }

    boolean isDisconnected() {
        return events.contains(CmEventType.DISCONNECTED);
    }

    @Override
    public void close() throws VerbsException {
        if (queuePair != null) {
            queuePair.closeQp();
        }
        if (accepted != null) {
            accepted.close();
        }
        id.close();
        channel.close();
        if (queuePair != null) {
            queuePair.close();
        }
    }
}
