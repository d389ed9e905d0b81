// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.MrAdvice;
import dev.verbena.verbs.MrRange;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One operation of a rule on one device, such as a verbs call, a CM call, a memory access or a wait. A {@code Step} is a
 * Java record that can be sent to a conformance agent. The caller assigns a number, the {@code handle}, to each new verbs
 * object. The Java record of a verbs call contains the handles of the verbs objects that the call uses. {@link RecordCodec}
 * encodes the Java records.
 */
public sealed interface Step {
    /** Returns the maximum time that this {@code Step} waits, or zero if it does not wait. */
    default Duration patience() {
        return Duration.ZERO;
    }

    record AskFacts() implements Step {}

    record OpenPd(int handle) implements Step {}

    /** How a completion queue raises completion events. */
    enum Announce {
        NOT,
        CHANNEL,
        HANDLER
    }

    record OpenCq(int handle, int capacity, int vector, Announce announce) implements Step {}

    /** Allocates memory between two guard areas, which contain a pattern. */
    record Allocate(int handle, long bytes) implements Step {
        /** The length of each guard area in bytes, one page. */
        static final int GUARD = 4096;
    }

    record Range(int memory, long offset, long length) {}

    record Register(int handle, int pd, Range range, Optional<Long> iova, Set<AccessFlag> access) implements Step {}

    record RegisterImplicit(int handle, int pd, Set<AccessFlag> access) implements Step {}

    record Advise(int pd, MrAdvice advice, boolean flush, MrRange range) implements Step {}

    record Reregister(
            int region,
            Optional<Integer> pd,
            Optional<Integer> memory,
            long offset,
            long length,
            Optional<Set<AccessFlag>> access)
            implements Step {}

    record OpenQp(int handle, int pd, QpSettings settings) implements Step {}

    record QpSettings(
            int sendCq,
            int receiveCq,
            Optional<Integer> srq,
            QpType type,
            QpCapabilities capabilities,
            boolean signalAll) {}

    record OpenSrq(int handle, int pd, int maxWr, int maxSge, int limit) implements Step {}

    record OpenAh(int handle, int pd, AddressVector vector) implements Step {}

    record OpenWindow(int handle, int pd, MemoryWindowType type) implements Step {}

    record OpenFastRegion(int handle, int pd, int maxPages) implements Step {}

    /** Sets the memory pages that the next REG_MR work request will register. */
    record MapFastRegion(int region, int memory, long offset, long length) implements Step {}

    record OpenFmr(int handle, int pd, int maxPages, Set<AccessFlag> access) implements Step {}

    /** Maps whole pages of memory to a fast memory region (FMR). */
    record MapFmr(int region, int memory, long offset, long length, long iova) implements Step {}

    record UnmapFmrs(List<Integer> regions) implements Step {}

    /** Closes only the object with the given handle; the close fails if other objects use this object. */
    record Close(int handle) implements Step {}

    record Modify(int qp, QpAttributes attributes) implements Step {}

    record Query(int qp) implements Step {}

    record AskState(int qp) implements Step {}

    record AskRkey(int handle) implements Step {}

    record PostSend(int qp, List<Send> requests) implements Step {}

    /** Posts receive requests to a queue pair or a shared receive queue. */
    record PostReceive(int queue, List<Receive> requests) implements Step {}

    /** Binds a type 1 window. */
    record Bind(int qp, Send.Binding binding, long id) implements Step {}

    record Multicast(int qp, Gid group, boolean attach) implements Step {}

    record Poll(int cq, int most) implements Step {}

    record Await(int cq, int count, Duration patience) implements Step {}

    record Arm(int cq, Notification kind) implements Step {}

    /** Waits until the CQ has raised {@code count} completion events in total. The reply contains the total number. */
    record AwaitCompletionEvents(int cq, int count, Duration patience) implements Step {}

    record ResizeCq(int cq, int capacity) implements Step {}

    record ArmSrq(int srq, int limit) implements Step {}

    record ResizeSrq(int srq, int maxWr) implements Step {}

    record QuerySrq(int srq) implements Step {}

    record Write(int memory, long offset, byte[] bytes) implements Step {}

    /**
     * Sets a range of the memory to zeros, and returns the whole pages of the range to the kernel ({@code MADV_DONTNEED}).
     */
    record Discard(int memory, long offset, long length) implements Step {}

    record Read(int memory, long offset, long length) implements Step {}

    record AwaitEvents(int count, Duration patience) implements Step {}

    /** Waits for a time. */
    record Pass(Duration patience) implements Step {}

    /** Executes several lists of {@code Step}s concurrently, each list in its own thread; not available in virtual time. */
    record Concurrently(List<List<Step>> lists, Duration patience) implements Step {}

    record Manage(CmStep what) implements Step {
        @Override
        public Duration patience() {
            return what.patience();
        }
    }

    /**
     * Closes all existing verbs and CM objects, in reverse order of creation. {@code CloseAll} must be the last {@code
     * Step} on a device.
     */
    record CloseAll() implements Step {}
}
