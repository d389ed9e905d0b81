// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.RootCause;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The diagnostic texts of a queue pair's failures. */
final class FailureText {
    private FailureText() {}

    /** Returns the first failure as a {@link RootCause}; empty if neither the queue pair nor a work request has failed. */
    static Optional<RootCause> rootCause(QpRecord.Failure failure) {
        WorkCompletionStatus status = failure.status();
        if (failure.cause() == FailureCause.NONE || (!failure.ended() && status == null)) {
            return Optional.empty();
        }
        return Optional.of(new RootCause(
                describe(failure),
                status == null
                        ? Optional.empty()
                        : Optional.of(new RootCause.Failure(failure.id(), status, failure.receive()))));
    }

    /** Returns the failure as one sentence without a full stop. */
    static String describe(QpRecord.Failure failure) {
        String atPsn = " (PSN " + failure.psn() + ")";
        return switch (failure.cause()) {
            case NONE -> "nothing has failed";
            case TAKEN_TO_ERROR -> "the program, or a disconnect, moved the queue pair to ERR";
            case CQ_OVERRUN -> "a completion queue of the queue pair was full and lost a completion";
            case ENGINE_FAILED ->
                "an exception inside this library, reported as an uncaught exception, ended the queue pair";
            case NAK -> "the peer refused the request: NAK " + nak((int) failure.first()) + atPsn;
            case RETRIES_USED_UP -> "the peer did not acknowledge, and the retries are used up" + atPsn;
            case RNR_RETRIES_USED_UP -> "the peer had no receive, and the RNR retries are used up" + atPsn;
            case BAD_RESPONSE -> "the peer answered with " + opcode(failure) + ", which matches no request" + atPsn;
            case READ_LENGTH ->
                "a READ response of " + failure.first() + " bytes arrived where " + failure.second() + " were expected"
                        + atPsn;
            case LOCAL_KEY -> "an entry of the send request needs access that is not granted: " + key(failure);
            case NO_READ_DEPTH -> "a READ or atomic was posted, but max_rd_atomic is 0";
            case LOCAL_OPERATION -> "a BIND_MW, REG_MR or LOCAL_INV request was refused";
            case NO_SUCH_OPERATION -> "the transport does not support the operation";
            case DATAGRAM_LENGTH ->
                "a datagram of " + failure.first() + " bytes is longer than the path MTU " + failure.second();
            case NO_ADDRESS -> "a datagram was posted without an address handle";
            case MESSAGE_ORDER -> "the peer's " + opcode(failure) + " neither begins nor continues a message" + atPsn;
            case QP_ACCESS ->
                "the peer needs " + rights((int) failure.first())
                        + " on the queue pair, which is not in its access flags" + atPsn;
            case PACKET_LENGTH ->
                "a packet of " + failure.first() + " bytes does not fit the path MTU " + failure.second() + atPsn;
            case MESSAGE_LENGTH ->
                "a message of " + failure.first() + " bytes, according to its header, has another length or is too long"
                        + atPsn;
            case NO_RESPONDER_DEPTH -> "the peer began a READ or atomic, but max_dest_rd_atomic is 0" + atPsn;
            case MISALIGNED ->
                "an atomic at 0x" + Long.toHexString(failure.first()) + " is not aligned to 8 bytes" + atPsn;
            case REMOTE_KEY -> "the peer requested access that is not granted: " + key(failure) + atPsn;
            case RECEIVE_LENGTH ->
                "a message of " + failure.first() + " bytes or more arrived for a receive of " + failure.second()
                        + atPsn;
            case RECEIVE_KEY -> "an entry of the receive needs access that is not granted: " + key(failure);
            case INVALIDATE -> "the peer may not invalidate key 0x" + Long.toHexString(failure.first()) + atPsn;
        };
    }

    private static String key(QpRecord.Failure failure) {
        return failure.second() + " bytes at 0x" + Long.toHexString(failure.first()) + " with "
                + rights(failure.keyAccess()) + " by key 0x" + Integer.toHexString(failure.key()) + ", which "
                + failure.keyDefect().text();
    }

    static String rights(int mask) {
        Set<AccessFlag> flags = EnumSet.noneOf(AccessFlag.class);
        for (AccessFlag flag : AccessFlag.values()) {
            if ((mask & flag.mask()) != 0) {
                flags.add(flag);
            }
        }
        return flags.isEmpty() ? "reading" : flags.toString();
    }

    static String nak(int syndrome) {
        return switch (syndrome) {
            case Aeth.NAK_PSN_SEQUENCE -> "PSN sequence error";
            case Aeth.NAK_INVALID_REQUEST -> "invalid request";
            case Aeth.NAK_REMOTE_ACCESS -> "remote access error";
            case Aeth.NAK_REMOTE_OPERATIONAL -> "remote operational error";
            default -> "of syndrome 0x" + Integer.toHexString(syndrome);
        };
    }

    private static String opcode(QpRecord.Failure failure) {
        Opcode opcode = Opcode.of((int) failure.first());
        return opcode == null ? "packet" : opcode.name();
    }
}
