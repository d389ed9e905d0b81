// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import dev.verbena.conformance.side.Region;
import dev.verbena.conformance.side.Send;
import dev.verbena.verbs.SendOpcode;

/**
 * A request for the send queue of a reliable connection, without a queue pair.
 *
 * @param opcode its operation
 * @param length bytes; 8 for atomics
 * @param at which byte of the peer's it begins with, counted from where it may; aligned for atomics
 * @param operand its immediate data; or the value that is added, or stored in place of 0
 * @param signaled whether it completes visibly
 * @param fenced whether it waits for READs before it
 */
public record WorkRequest(SendOpcode opcode, int length, int at, int operand, boolean signaled, boolean fenced) {
    /** The most bytes of a request. */
    public static final int LONGEST = 600;

    /** Where the last request may begin. */
    public static final int LAST = 400;

    /** Sets the length and the alignment that atomics need. */
    public WorkRequest {
        if (isAtomic(opcode)) {
            length = Long.BYTES;
            at &= -Long.BYTES;
        }
    }

    private static boolean isAtomic(SendOpcode opcode) {
        return opcode == SendOpcode.ATOMIC_FETCH_AND_ADD || opcode == SendOpcode.ATOMIC_CMP_AND_SWP;
    }

    /**
     * Returns whether it is an atomic operation.
     *
     * @return true for fetch-and-add and compare-and-swap
     */
    public boolean isAtomic() {
        return isAtomic(opcode);
    }

    /**
     * Returns whether it has immediate data.
     *
     * @return true for SENDs and WRITEs with immediate data
     */
    public boolean hasImmediate() {
        return opcode == SendOpcode.SEND_WITH_IMM || opcode == SendOpcode.RDMA_WRITE_WITH_IMM;
    }

    /**
     * Returns whether the bytes come from the peer.
     *
     * @return true for READs and atomics
     */
    public boolean fetches() {
        return opcode == SendOpcode.RDMA_READ || isAtomic();
    }

    /**
     * Returns whether it uses a receive of the peer.
     *
     * @return true for SENDs, and for WRITEs with immediate data
     */
    public boolean needsReceive() {
        return opcode == SendOpcode.SEND || hasImmediate();
    }

    /**
     * The same, which completes visibly or not.
     *
     * @param value whether it does
     * @return a request
     */
    public WorkRequest withSignaled(boolean value) {
        return new WorkRequest(opcode, length, at, operand, value, fenced);
    }

    /**
     * The same, which waits for READs and atomics before it.
     *
     * @return a request
     */
    public WorkRequest withFenced() {
        return new WorkRequest(opcode, length, at, operand, signaled, true);
    }

    /**
     * Makes it a request that can be posted.
     *
     * @param id its id
     * @param local the region of its bytes on this side
     * @param localOffset the offset of the bytes on this side
     * @param remote the region of the peer's that it may touch
     * @param remoteOffset where in that {@link #at} is counted from
     * @return the request
     */
    public Send toSend(long id, Region local, long localOffset, Region remote, long remoteOffset) {
        long place = remoteOffset + at;
        Send send = switch (opcode) {
            case SEND -> Send.send(id);
            case SEND_WITH_IMM -> Send.sendWithImmediate(id, operand);
            case RDMA_WRITE -> Send.write(id, remote.at(place));
            case RDMA_WRITE_WITH_IMM -> Send.writeWithImmediate(id, remote.at(place), operand);
            case RDMA_READ -> Send.read(id, remote.at(place));
            case ATOMIC_FETCH_AND_ADD -> Send.fetchAndAdd(id, remote.at(place), operand);
            case ATOMIC_CMP_AND_SWP -> Send.compareAndSwap(id, remote.at(place), 0, operand);
            default -> throw new IllegalStateException("no property posts " + opcode);
        };
        Send complete = send.from(local.sge(localOffset, length)).signaled(signaled);
        return fenced ? complete.fenced() : complete;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(opcode.name());
        text.append(' ').append(length);
        if (!opcode.name().startsWith("SEND")) {
            text.append(" at ").append(at);
        }
        if (hasImmediate() || isAtomic()) {
            text.append(" with ").append(operand);
        }
        return text + (signaled ? "" : " unsignaled") + (fenced ? " fenced" : "");
    }

    /** Draws a request of any kind that a connection without windows and extensions has. */
    static WorkRequest any(Choices choices) {
        return among(
                choices,
                SendOpcode.SEND,
                SendOpcode.RDMA_WRITE,
                SendOpcode.RDMA_READ,
                SendOpcode.SEND_WITH_IMM,
                SendOpcode.RDMA_WRITE_WITH_IMM,
                SendOpcode.ATOMIC_FETCH_AND_ADD,
                SendOpcode.ATOMIC_CMP_AND_SWP);
    }

    private static WorkRequest among(Choices choices, SendOpcode... kinds) {
        return new WorkRequest(
                choices.of(kinds),
                choices.between(0, choices.of(8, LONGEST)),
                choices.between(0, LAST),
                choices.between(Integer.MIN_VALUE, Integer.MAX_VALUE),
                choices.of(true, false),
                choices.of(false, true));
    }

    /** SENDs, WRITEs and READs. */
    public static final class Plain implements Arbitrary<WorkRequest> {
        /** For {@link From}. */
        public Plain() {}

        @Override
        public WorkRequest draw(Choices choices) {
            return among(choices, SendOpcode.SEND, SendOpcode.RDMA_WRITE, SendOpcode.RDMA_READ);
        }
    }
}
