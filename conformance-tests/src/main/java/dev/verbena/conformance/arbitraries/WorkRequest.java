// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import dev.verbena.conformance.side.Region;
import dev.verbena.conformance.side.Send;
import dev.verbena.verbs.SendOpcode;

/**
 * The description of a work request for the send queue of a reliable connection.
 *
 * @param opcode the operation
 * @param length the length of the data in bytes; 8 for atomics
 * @param at the offset in the memory that the peer can access, in bytes; aligned for atomics
 * @param operand the immediate data; for fetch-and-add the addend; for compare-and-swap the new value (the compared
 *     value is always 0)
 * @param signaled whether a completion is generated if the request succeeds
 * @param fenced whether the request waits for earlier RDMA READs and atomics (IBV_SEND_FENCE)
 */
public record WorkRequest(SendOpcode opcode, int length, int at, int operand, boolean signaled, boolean fenced) {
    /** The maximum data length of a request in bytes. */
    public static final int LONGEST = 600;

    /** The largest value of {@code at} in a random request, in bytes. */
    public static final int LAST = 400;

    /** Changes the length of an atomic to 8, and rounds its offset down to a multiple of 8. */
    public WorkRequest {
        if (isAtomic(opcode)) {
            length = Long.BYTES;
            at &= -Long.BYTES;
        }
    }

    private static boolean isAtomic(SendOpcode opcode) {
        return opcode == SendOpcode.ATOMIC_FETCH_AND_ADD || opcode == SendOpcode.ATOMIC_CMP_AND_SWP;
    }

    /** {@return whether the operation is an atomic, which is either fetch-and-add or compare-and-swap} */
    public boolean isAtomic() {
        return isAtomic(opcode);
    }

    /** {@return whether the operation is SEND_WITH_IMM or RDMA_WRITE_WITH_IMM} */
    public boolean hasImmediate() {
        return opcode == SendOpcode.SEND_WITH_IMM || opcode == SendOpcode.RDMA_WRITE_WITH_IMM;
    }

    /** {@return whether the operation is an RDMA READ or an atomic; both return data from the peer} */
    public boolean fetches() {
        return opcode == SendOpcode.RDMA_READ || isAtomic();
    }

    /** {@return whether the operation consumes a receive of the peer: a SEND, or a WRITE with immediate data} */
    public boolean needsReceive() {
        return opcode == SendOpcode.SEND || hasImmediate();
    }

    /**
     * {@return a copy of this request with {@code IBV_SEND_SIGNALED} set or cleared}
     *
     * @param value whether a completion is generated if the request succeeds
     */
    public WorkRequest withSignaled(boolean value) {
        return new WorkRequest(opcode, length, at, operand, value, fenced);
    }

    /** {@return a copy of this request that waits for earlier RDMA READs and atomics} */
    public WorkRequest withFenced() {
        return new WorkRequest(opcode, length, at, operand, signaled, true);
    }

    /**
     * {@return a request to post}
     *
     * @param id the id of the work request
     * @param local the memory region of the local data
     * @param localOffset the offset of the local data in the local region
     * @param remote the region of the peer
     * @param remoteOffset a byte offset in the peer's region; the request accesses the offset {@code remoteOffset + at}
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

    /** Returns a random work request whose opcode needs neither a memory window nor a protocol extension. */
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

    /** Generates SENDs, RDMA WRITEs and RDMA READs. */
    public static final class Plain implements Arbitrary<WorkRequest> {
        /** The annotation {@link From} needs this constructor. */
        public Plain() {}

        @Override
        public WorkRequest draw(Choices choices) {
            return among(choices, SendOpcode.SEND, SendOpcode.RDMA_WRITE, SendOpcode.RDMA_READ);
        }
    }
}
