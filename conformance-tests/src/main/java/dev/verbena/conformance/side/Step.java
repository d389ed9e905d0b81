// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One call on one side, as a record that can be sent. {@code handle} is the caller's name for a new object; other
 * objects are named by the handles with which they were made. {@link RecordCodec} has the encoding of a step.
 */
public sealed interface Step {
    /** How long the step may wait for something to happen; the answer may take as much longer. */
    default Duration patience() {
        return Duration.ZERO;
    }

    record AskFacts() implements Step {}

    record OpenPd(int handle) implements Step {}

    /** How a completion queue announces completions. */
    enum Announce {
        NOT,
        CHANNEL,
        HANDLER
    }

    record OpenCq(int handle, int capacity, int vector, Announce announce) implements Step {}

    /** Allocates memory between two guards that hold a pattern. */
    record Allocate(int handle, long bytes) implements Step {
        /** Bytes of a guard; a whole page. */
        static final int GUARD = 4096;
    }

    /** Part of a memory. */
    record Range(int memory, long offset, long length) {}

    record Register(int handle, int pd, Range range, Optional<Long> iova, Set<AccessFlag> access) implements Step {}

    record Reregister(
            int region,
            Optional<Integer> pd,
            Optional<Integer> memory,
            long offset,
            long length,
            Optional<Set<AccessFlag>> access)
            implements Step {}

    record OpenQp(int handle, int pd, QpSettings settings) implements Step {}

    /** The attributes that a queue pair is created with. */
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

    /** Maps a part of memory, a whole number of pages, into a fast region. */
    record MapFastRegion(int region, int memory, long offset, long length) implements Step {}

    record OpenFmr(int handle, int pd, int maxPages, Set<AccessFlag> access) implements Step {}

    /** Maps a part of memory, a whole number of pages, into a region of FMR. */
    record MapFmr(int region, int memory, long offset, long length, long iova) implements Step {}

    record UnmapFmrs(List<Integer> regions) implements Step {}

    /** Closes the object itself; those that use it make the provider refuse. */
    record Close(int handle) implements Step {}

    record Modify(int qp, QpAttributes attributes) implements Step {}

    record Query(int qp) implements Step {}

    record AskState(int qp) implements Step {}

    record AskRkey(int handle) implements Step {}

    record PostSend(int qp, List<Send> requests) implements Step {}

    /** To a queue pair or a shared receive queue. */
    record PostReceive(int queue, List<Receive> requests) implements Step {}

    /** Binds a window of type 1. */
    record Bind(int qp, Send.Binding binding, long id) implements Step {}

    record Multicast(int qp, Gid group, boolean attach) implements Step {}

    record Poll(int cq, int most) implements Step {}

    record Await(int cq, int count, Duration patience) implements Step {}

    record Arm(int cq, Notification kind) implements Step {}

    /** Waits until {@code count} announcements have come since the queue was made. The reply has their number. */
    record AwaitAnnouncements(int cq, int count, Duration patience) implements Step {}

    record ResizeCq(int cq, int capacity) implements Step {}

    record ArmSrq(int srq, int limit) implements Step {}

    record ResizeSrq(int srq, int maxWr) implements Step {}

    record QuerySrq(int srq) implements Step {}

    record Write(int memory, long offset, byte[] bytes) implements Step {}

    record Read(int memory, long offset, long length) implements Step {}

    record AwaitEvents(int count, Duration patience) implements Step {}

    /** Lets time pass, and with it everything that happens. */
    record Pass(Duration patience) implements Step {}

    /** Executes each list by a thread of its own, all at once; wall time only. */
    record Concurrently(List<List<Step>> lists, Duration patience) implements Step {}

    /** A step of connection management. */
    record Manage(CmStep what) implements Step {
        @Override
        public Duration patience() {
            return what.patience();
        }
    }

    /** Closes everything that is open, the last first; the last step of a side. */
    record CloseAll() implements Step {}
}
