// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import dev.verbena.conformance.side.Region;
import dev.verbena.conformance.side.Send;
import dev.verbena.verbs.SendOpcode;

/**
 * The description of a work request for the send queue of a reliable connection.
 *
 * @param opcode the operation
 * @param length the length in bytes; 8 for atomics
 * @param at the offset in the accessible memory of the peer, in bytes; aligned for atomics
 * @param operand the immediate data, or the number that an atomic adds or swaps for 0
 * @param signaled whether a successful request has a completion
 * @param fenced whether the request waits for earlier READs and atomics
 */
public record WorkRequest(SendOpcode opcode, int length, int at, int operand, boolean signaled, boolean fenced) {
    /** The maximum length of a request in bytes. */
    public static final int LONGEST = 600;

    /** The largest offset of a request in bytes. */
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

    /** {@return whether the operation is fetch-and-add or compare-and-swap} */
    public boolean isAtomic() {
        return isAtomic(opcode);
    }

    /** {@return whether the operation is a SEND or WRITE with immediate data} */
    public boolean hasImmediate() {
        return opcode == SendOpcode.SEND_WITH_IMM || opcode == SendOpcode.RDMA_WRITE_WITH_IMM;
    }

    /** {@return whether the operation is a READ or an atomic, whose data comes from the peer} */
    public boolean fetches() {
        return opcode == SendOpcode.RDMA_READ || isAtomic();
    }

    /** {@return whether the operation, a SEND or a WRITE with immediate data, consumes a receive of the peer} */
    public boolean needsReceive() {
        return opcode == SendOpcode.SEND || hasImmediate();
    }

    /**
     * {@return the same request, signaled or not}
     *
     * @param value whether a successful request has a completion
     */
    public WorkRequest withSignaled(boolean value) {
        return new WorkRequest(opcode, length, at, operand, value, fenced);
    }

    /** {@return the same request, which waits for earlier READs and atomics} */
    public WorkRequest withFenced() {
        return new WorkRequest(opcode, length, at, operand, signaled, true);
    }

    /**
     * {@return a request to post}
     *
     * @param id the id of the work request
     * @param local the region of the local memory
     * @param localOffset the offset of the data in the local region
     * @param remote the region of the peer
     * @param remoteOffset the offset in the peer's region to which {@link #at} is added
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

    /** Draws a request of any kind that needs no window and no extension. */
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

    /** Draws SENDs, WRITEs and READs. */
    public static final class Plain implements Arbitrary<WorkRequest> {
        /** Creates an instance for {@link From}. */
        public Plain() {}

        @Override
        public WorkRequest draw(Choices choices) {
            return among(choices, SendOpcode.SEND, SendOpcode.RDMA_WRITE, SendOpcode.RDMA_READ);
        }
    }
}
