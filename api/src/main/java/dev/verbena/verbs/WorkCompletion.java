// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Optional;

/**
 * One completed work request ({@code struct ibv_wc}): a view into a {@link WorkCompletions} batch.
 *
 * <p>When {@link #status()} is not SUCCESS only {@link #workRequestId()}, {@link #status()}, {@link #vendorError()} and {@link
 * #qpNumber()} mean anything; in particular {@link #opcode()} does not.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_poll_cq.3.html">ibv_poll_cq(3)</a>
 * @since 1.0
 */
public interface WorkCompletion {
    /**
     * Returns the poster's id of the request.
     *
     * @return the work request's id
     */
    long workRequestId();

    /**
     * Returns how it ended.
     *
     * @return the status; SUCCESS or the reason
     */
    WorkCompletionStatus status();

    /**
     * Returns the device's number of the status, which identifies a status that this release does not know.
     *
     * @return the number of {@code enum ibv_wc_status}
     */
    default int statusCode() {
        return status().code();
    }

    /**
     * Returns whether the request succeeded.
     *
     * @return true if the status is SUCCESS
     */
    default boolean isSuccess() {
        return status() == WorkCompletionStatus.SUCCESS;
    }

    /**
     * Returns the completed operation.
     *
     * @return the operation; defined only on success
     */
    WorkCompletionOpcode opcode();

    /**
     * Returns the device's number of the operation, which identifies an operation that this release does not know.
     *
     * @return the number of {@code enum ibv_wc_opcode}; defined only on success
     */
    default int opcodeCode() {
        return opcode().code();
    }

    /**
     * Returns whether a receive work request completed, by the number of the operation, so also of one that this release does not know.
     *
     * @return true for receives; defined only on success
     */
    default boolean isReceive() {
        return (opcodeCode() & WorkCompletionOpcode.RECV.code()) != 0;
    }

    /**
     * Returns the vendor's own error number.
     *
     * @return 0 where the device has none
     */
    int vendorError();

    /**
     * Returns how many bytes were moved.
     *
     * @return for receives the message's length (UD: with the 40 bytes of routing header), for READ and atomics the
     *     length of the result; otherwise undefined
     */
    long byteLength();

    /**
     * Returns whether the message carried immediate data.
     *
     * @return true if {@link #immediateData()} is defined
     */
    boolean hasImmediateData();

    /**
     * Returns the immediate data: the 32 bits of the sender's work request, read as an integer in network byte order.
     *
     * @return the sender's argument of {@link SendWorkRequest#sendWithImmediate}
     */
    int immediateData();

    /**
     * Returns whether the message invalidated a key of this side.
     *
     * @return true if {@link #invalidatedRkey()} is defined
     */
    boolean hasInvalidatedRkey();

    /**
     * Returns the key that the message invalidated.
     *
     * @return the rkey
     */
    int invalidatedRkey();

    /**
     * Returns the local queue pair.
     *
     * @return its 24-bit number
     */
    int qpNumber();

    /**
     * Returns the sender of a UD message.
     *
     * @return its 24-bit queue pair number
     */
    int sourceQp();

    /**
     * Returns whether the first 40 bytes of a UD receive buffer hold a global routing header.
     *
     * @return true on every UD receive of a RoCE port
     */
    boolean hasGlobalRoute();

    /**
     * Returns the P_Key entry the message matched; UD on InfiniBand only.
     *
     * @return index into the port's P_Key table
     */
    int pkeyIndex();

    /**
     * Returns the sender's LID; UD on InfiniBand only.
     *
     * @return 16 bits; 0 on RoCE
     */
    int sourceLid();

    /**
     * Returns the service level; UD on InfiniBand only.
     *
     * @return 0 to 15
     */
    int serviceLevel();

    /**
     * Returns the destination path bits; UD on InfiniBand only.
     *
     * @return 0 to 127
     */
    int destinationPathBits();

    /**
     * Returns when the device completed the request ({@code ibv_wc_read_completion_ts}). {@link Device#queryHcaClock()} reads the same
     * clock; {@link DeviceAttributes#hcaCoreClock()} has its frequency and {@link DeviceAttributes#completionTimestampMask()} its
     * width.
     *
     * @return ticks of the device's clock; 0 if the queue was created without {@link CqInitAttributes#timestamps()}
     */
    default long timestamp() {
        return 0;
    }

    /**
     * Explains how it ended: the usual suspects of the status and, where the provider knows, the queue pair's facts,
     * the first cause, and hints. Control path. The explanation describes the present queue pair, so call this soon
     * after polling.
     *
     * @return the explanation; at least the facts that hold for the status on every device
     */
    default Explanation explain() {
        return Explanation.ofStatus(this);
    }

    /**
     * Returns the failure that ended the queue pair; a flushed request is only a consequence. Control path.
     *
     * @return the first cause; empty for SUCCESS, and where the provider does not know
     */
    default Optional<RootCause> rootCause() {
        return Optional.empty();
    }
}
