// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The buffers and the state of the client or the server of one {@code rping} connection. An advertisement is a message of
 * 16 bytes with an address, an rkey and a size in big-endian order. The client and the server each have a subclass, because
 * they respond differently to completions.
 */
abstract class RpingEnd implements AutoCloseable, CmQueuePair.Taker {
    static final long RECEIVE = 1;
    static final long SEND = 2;
    static final long RDMA = 3;

    private static final ValueLayout.OfLong BE64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt BE32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int ADVERTISEMENT = 16;
    private static final int RKEY = 8;
    private static final int SIZE = 12;
    private static final int SEND_DEPTH = 16;
    private static final int RECEIVE_DEPTH = 2;

    private final ToolLoop loop;
    private final RpingSettings settings;
    private final PrintWriter out;
    private final ConnectionId id;
    private final CmQueuePair queuePair;
    private final CmQueuePair.Memory received;
    private final CmQueuePair.Memory sent;
    private final CmQueuePair.Memory data;
    private State state;
    private Advertisement advertised = new Advertisement(0, 0, 0);

    /** The state of the client or server. The states have the order of rping's {@code enum test_state}. */
    enum State {
        IDLE,
        CONNECT_REQUEST,
        ADDR_RESOLVED,
        ROUTE_RESOLVED,
        CONNECTED,
        RDMA_READ_ADV,
        RDMA_READ_COMPLETE,
        RDMA_WRITE_ADV,
        RDMA_WRITE_COMPLETE,
        DISCONNECTED,
        ERROR;

        int number() {
            return ordinal() + 1;
        }
    }

    RpingEnd(ToolLoop loop, RpingSettings settings, PrintWriter out, ConnectionId id, State state, int buffer)
            throws VerbsException, ToolException {
        this.loop = loop;
        this.settings = settings;
        this.out = out;
        this.id = id;
        this.state = state;
        queuePair = new CmQueuePair(loop, id, SEND_DEPTH, RECEIVE_DEPTH, this);
        try {
            received = queuePair.newMemory(ADVERTISEMENT, AccessFlag.LOCAL_WRITE);
            sent = queuePair.newMemory(ADVERTISEMENT);
            data = newBuffer(buffer);
            queuePair.receive(RECEIVE, received);
        } catch (VerbsException | ToolException | RuntimeException e) {
            try (queuePair) {
                throw e;
            }
        }
    }

    final CmQueuePair.Memory newBuffer(int size) throws VerbsException {
        return queuePair.newMemory(size, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
    }

    /** The connection parameters of client and server, which permit one outstanding READ in each direction. */
    static ConnectionParameters parameters() {
        return ConnectionParameters.builder()
                .responderResources(1)
                .initiatorDepth(1)
                .retryCount(7)
                .rnrRetryCount(RnrRetryCount.FOREVER)
                .build();
    }

    abstract String name();

    /** Handles a received message; the receive for the next message is already posted. */
    abstract void onReceived() throws ToolException, VerbsException;

    /** Handles the completion of an RDMA READ or WRITE that this process posted. */
    abstract void onRdma() throws ToolException, VerbsException;

    abstract void onEstablished() throws ToolException, VerbsException;

    /**
     * Handles a DISCONNECTED event with the given status. The DISCONNECTED event may arrive before all pings of
     * {@code rping} are complete.
     */
    abstract void onDisconnected(int status) throws ToolException, VerbsException;

    @Override
    public final void onCompletion(WorkCompletion completion) throws VerbsException, ToolException {
        if (completion.workRequestId() == RECEIVE) {
            if (completion.byteLength() != ADVERTISEMENT) {
                throw new ToolException("Received bogus data, size " + completion.byteLength());
            }
            debug("recv completion");
            Advertisement heard = new Advertisement(
                    received.bytes().get(BE64, 0),
                    received.bytes().get(BE32, RKEY),
                    Integer.toUnsignedLong(received.bytes().get(BE32, SIZE)));
            queuePair.receive(RECEIVE, received);
            advertised = heard;
            onReceived();
        } else if (completion.workRequestId() == RDMA) {
            onRdma();
        } else {
            debug("send completion");
        }
    }

    /** The address, rkey and size of the peer's buffer, from the peer's advertisement. */
    record Advertisement(long address, int rkey, long size) {}

    final Advertisement advertised() {
        return advertised;
    }

    /** Handles a CM event that reports the failure of the connection, for example REJECTED. */
    abstract void onGivenUp(ToolException failure) throws ToolException;

    final void onEvent(CmEventType type, int status) throws ToolException, VerbsException {
        switch (type) {
            case ESTABLISHED -> {
                debug("ESTABLISHED");
                // The client's first message may arrive before the RTU of the connection.
                if (state.compareTo(State.CONNECTED) < 0) {
                    state = State.CONNECTED;
                }
                onEstablished();
            }
            case DISCONNECTED -> {
                out.println(name() + " DISCONNECT EVENT...");
                out.flush();
                State before = state;
                state = State.DISCONNECTED;
                debug("disconnected in state " + before.number());
                onDisconnected(status);
            }
            case TIMEWAIT_EXIT -> debug("TIMEWAIT_EXIT");
            default -> onGivenUp(Rping.failed(type, status, "wait for CONNECTED state " + state.number()));
        }
    }

    final void advertise(CmQueuePair.Memory buffer, int size) throws ToolException {
        sent.bytes().set(BE64, 0, buffer.region().address());
        sent.bytes().set(BE32, RKEY, buffer.region().rkey());
        sent.bytes().set(BE32, SIZE, size);
        send();
    }

    /** Posts a SEND of the send buffer. A peer that waits only for a signal to continue ignores the payload of the SEND. */
    final void send() throws ToolException {
        queuePair.post(request -> request.send().id(SEND).sge(sent.region(), 0, ADVERTISEMENT));
    }

    final CmQueuePair queuePair() {
        return queuePair;
    }

    final CmQueuePair.Memory data() {
        return data;
    }

    final RpingSettings settings() {
        return settings;
    }

    final ToolLoop loop() {
        return loop;
    }

    final ConnectionId id() {
        return id;
    }

    final State state() {
        return state;
    }

    final void enter(State next) {
        state = next;
    }

    final void print(String line) {
        out.println(line);
        out.flush();
    }

    final void debug(String line) {
        if (settings.debug()) {
            print(name() + " " + line);
        }
    }

    /** Reads a text that ends at a zero byte, or at the end of the buffer. */
    static String text(MemorySegment bytes, long length) {
        long end = 0;
        while (end < length && bytes.get(ValueLayout.JAVA_BYTE, end) != 0) {
            end++;
        }
        return new String(bytes.asSlice(0, end).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
    }

    final boolean isConnected() {
        return state.compareTo(State.CONNECTED) >= 0 && state != State.DISCONNECTED;
    }

    @Override
    public void close() throws VerbsException {
        queuePair.close();
        id.close();
    }
}
