// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Optional;

/**
 * A work completion ({@code struct ibv_wc}) in a {@link WorkCompletions} batch; the next poll into the batch overwrites it.
 *
 * <p>If {@link #status()} is not SUCCESS, only {@link #workRequestId()}, {@link #status()}, {@link #vendorError()} and
 * {@link #qpNumber()} are defined; in particular {@link #opcode()} is undefined.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_poll_cq.3.html">ibv_poll_cq(3)</a>
 * @since 1.0
 */
public interface WorkCompletion {
    /** {@return the id that the application has set in the work request} */
    long workRequestId();

    /** {@return the status; SUCCESS, or the reason why the request failed} */
    WorkCompletionStatus status();

    /** {@return the value of the status in {@code enum ibv_wc_status}, also for a status that Verbena does not know} */
    default int statusCode() {
        return status().code();
    }

    /** {@return whether the request succeeded. A successful request has the status SUCCESS} */
    default boolean isSuccess() {
        return status() == WorkCompletionStatus.SUCCESS;
    }

    /** {@return the completed operation; defined only on success} */
    WorkCompletionOpcode opcode();

    /**
     * {@return the value of the opcode in {@code enum ibv_wc_opcode}, also for an opcode that Verbena does not know;
     * defined only on success}
     */
    default int opcodeCode() {
        return opcode().code();
    }

    /**
     * {@return whether a receive request completed, even if Verbena does not know the opcode of the completion; defined
     * only on success}
     */
    default boolean isReceive() {
        return (opcodeCode() & WorkCompletionOpcode.RECV.code()) != 0;
    }

    /** {@return the vendor's error number, 0 if the device reports none} */
    int vendorError();

    /**
     * {@return the length in bytes: for a receive, the length of the message; for a READ or an atomic, the length of the
     * result; otherwise undefined. For a receive of UD, the length includes the 40 bytes of the global route header}
     */
    long byteLength();

    /** {@return whether the message has {@link #immediateData()}} */
    boolean hasImmediateData();

    /**
     * {@return the 32 bits of immediate data, read as an integer in network byte order. The sender passes the same integer
     * to {@link SendWorkRequest#sendWithImmediate} or {@link SendWorkRequest#rdmaWriteWithImmediate}}
     */
    int immediateData();

    /** {@return whether the peer's message invalidated a local key; {@link #invalidatedRkey()} returns this key} */
    boolean hasInvalidatedRkey();

    /** {@return the rkey that the message of the peer invalidated} */
    int invalidatedRkey();

    /** {@return the number of the local queue pair, 24 bits} */
    int qpNumber();

    /** {@return the QPN of the sender of a UD message, 24 bits} */
    int sourceQp();

    /**
     * {@return whether the first 40 bytes of a UD receive buffer are a global route header; true for every UD receive of a RoCE
     * port}
     */
    boolean hasGlobalRoute();

    /** {@return the index of the message's P_Key in the P_Key table of the port; UD on InfiniBand only} */
    int pkeyIndex();

    /** {@return the sender's LID, 16 bits, 0 on RoCE; UD on InfiniBand only} */
    int sourceLid();

    /** {@return the service level of the message, 0 to 15; UD on InfiniBand only} */
    int serviceLevel();

    /** {@return the destination path bits of the message, 0 to 127; UD on InfiniBand only} */
    int destinationPathBits();

    /**
     * Returns the time at which the device completed the request ({@code ibv_wc_read_completion_ts}).
     * {@link Device#queryHcaClock()} reads the clock of the timestamp, {@link DeviceAttributes#hcaCoreClock()} returns
     * the frequency of the clock, and {@link DeviceAttributes#completionTimestampMask()} returns the valid bits of the
     * timestamp.
     *
     * @return the time in ticks of the device's clock; 0 if the queue was created without {@link CqInitAttributes#timestamps()}
     */
    default long timestamp() {
        return 0;
    }

    /**
     * Returns a diagnosis of this completion, with the usual causes of its status. Some providers add hints at mistakes of
     * the application, the current state and attributes of the queue pair, and the {@link RootCause}. The state can change,
     * so call this method soon after polling. Not for the data path.
     *
     * @return the diagnosis; with every provider, it has at least the usual causes of the status
     */
    default Explanation explain() {
        return Explanation.ofStatus(this);
    }

    /**
     * Returns the error that moved the queue pair to ERR or SQE, or the error of a failed UC or UD receive. The completion
     * of a flushed request does not show this error. Not for the data path.
     *
     * @return the error; empty if the status is SUCCESS, or if the provider does not know the error
     */
    default Optional<RootCause> rootCause() {
        return Optional.empty();
    }
}
