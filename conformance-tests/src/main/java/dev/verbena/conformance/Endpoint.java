package dev.verbena.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One end of a connection as rules drive it: a queue pair with a completion queue for sends and one for receives, and
 * registered memory between two strips of guard bytes that nobody may touch.
 *
 * <p>All waiting of the kit is done here, with the rig's deadlines. For one thread at a time.
 */
public final class Endpoint implements AutoCloseable {
    /** Bytes before and behind the registered memory; a whole page each. */
    public static final int GUARD = 4096;

    private static final byte UNTOUCHED = 0x5A;
    private static final int POLL_BATCH = 16;

    private final ProviderRig rig;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final ProtectionDomain domain;
    private final MemorySegment allocation;
    private final MemoryRegion region;
    private final QueuePair queuePair;

    private Endpoint(ProviderRig rig, Device device, EndpointOptions options) throws VerbsException {
        this.rig = rig;
        try {
            domain = opened(device.allocatePd());
            VerbsArena arena = opened(device.newArena());
            allocation = arena.allocatePages(GUARD + options.bytes() + GUARD);
            allocation.fill(UNTOUCHED);
            region = opened(domain.registerMemory(allocation.asSlice(GUARD, options.bytes()), options.access()));
            QpCapabilities depths = options.capabilities();
            // Twice the depths, so that a provider that completes too much is seen instead of overrunning the queue.
            CompletionQueue sends = opened(device.createCq(
                    CqInitAttributes.builder().capacity(2 * depths.maxSendWr()).build()));
            CompletionQueue receives = opened(device.createCq(CqInitAttributes.builder()
                    .capacity(2 * depths.maxReceiveWr())
                    .build()));
            queuePair = opened(domain.createQp(QpInitAttributes.builder()
                    .type(QpType.RC)
                    .sendCq(sends)
                    .receiveCq(receives)
                    .capabilities(depths)
                    .build()));
        } catch (VerbsException | RuntimeException refused) {
            closeAfter(refused);
            throw refused;
        }
    }

    /**
     * Opens an end that is not connected yet.
     *
     * @param rig whose deadlines count
     * @param device where it is
     * @param options what it is made of
     * @return a new endpoint whose queue pair is in RESET
     * @throws VerbsException if the device refuses something; then nothing is left open
     */
    public static Endpoint open(ProviderRig rig, Device device, EndpointOptions options) throws VerbsException {
        return new Endpoint(rig, device, options);
    }

    private <T extends AutoCloseable> T opened(T object) {
        opened.push(object);
        return object;
    }

    private void closeAfter(Exception reason) {
        try {
            close();
        } catch (VerbsException | RuntimeException another) {
            reason.addSuppressed(another);
        }
    }

    /**
     * Returns the queue pair.
     *
     * @return an RC queue pair
     */
    public QueuePair queuePair() {
        return queuePair;
    }

    /**
     * Returns the domain.
     *
     * @return the domain of the queue pair and the region
     */
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /**
     * Returns the registration of all memory but the guards.
     *
     * @return the region
     */
    public MemoryRegion region() {
        return region;
    }

    /**
     * Registers the same memory once more.
     *
     * @return another region with keys of its own, to be closed by the caller
     * @throws VerbsException if the device refuses it
     */
    public MemoryRegion registerAgain() throws VerbsException {
        return domain.registerMemory(allocation.asSlice(GUARD, region.length()), region.access());
    }

    /**
     * Writes recognizable bytes, as a program does before it sends them.
     *
     * @param offset the first byte, counted from the start of the region
     * @param length how many
     * @param salt tells this message from others
     * @return the same bytes
     */
    public byte[] write(long offset, int length, int salt) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            // A factor that shares nothing with the packet sizes, so that a packet in the wrong place is seen.
            bytes[i] = (byte) ((i + 1) * 131 + (i >> 8) * 17 + salt * 29);
        }
        MemorySegment.copy(bytes, 0, allocation, ValueLayout.JAVA_BYTE, GUARD + offset, length);
        return bytes;
    }

    /**
     * Reads the memory, guards included.
     *
     * @return a copy, in which the region begins at {@link #GUARD}
     */
    public byte[] contents() {
        return allocation.toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * Checks every byte of the memory, guards included.
     *
     * @param expected what it should hold, as {@link #contents()} gives it
     */
    public void assertHolds(byte[] expected) {
        byte[] actual = contents();
        int at = Arrays.mismatch(expected, actual);
        if (at >= 0) {
            fail("memory of " + queuePair + ": byte " + (at - GUARD) + " of the region of " + region.length()
                    + " bytes is " + actual[at] + ", not " + expected[at]);
        }
    }

    /**
     * Posts a request that must be taken.
     *
     * @param fill chooses operation, id, flags and entries
     */
    public void postSend(Consumer<SendWorkRequest> fill) {
        SendRequests batch = queuePair.newSendRequests(1);
        fill.accept(batch.get(0));
        if (queuePair.postSend(batch, 1) != 1) {
            fail("the send " + batch.get(0) + " was not taken: " + batch.refusal());
        }
    }

    /**
     * Posts a SEND that must be taken.
     *
     * @param id its id
     * @param signaled whether it completes visibly on success
     * @param offset the first byte of the message in the region
     * @param length bytes; without any there is no entry, since an entry of length 0 means 2^31 to some hardware
     */
    public void postSend(long id, boolean signaled, long offset, long length) {
        postSend(request -> addBytes(request.send(), id, signaled, offset, length));
    }

    /**
     * Posts an RDMA WRITE that must be taken.
     *
     * @param id its id; it completes visibly
     * @param offset the first byte in the region
     * @param length bytes
     * @param remoteAddress where to write
     * @param rkey the key that grants it
     */
    public void postWrite(long id, long offset, long length, long remoteAddress, int rkey) {
        postSend(request -> addBytes(request.rdmaWrite(remoteAddress, rkey), id, true, offset, length));
    }

    private void addBytes(SendWorkRequest request, long id, boolean signaled, long offset, long length) {
        request.id(id);
        if (signaled) {
            request.signaled();
        }
        if (length > 0) {
            request.sge(region, offset, length);
        }
    }

    /**
     * Posts a receive that must be taken.
     *
     * @param id its id
     * @param offset the first byte of the buffer in the region
     * @param length bytes; without any there is no entry
     */
    public void postReceive(long id, long offset, long length) {
        ReceiveRequests batch = queuePair.newReceiveRequests(1);
        batch.get(0).clear().id(id);
        if (length > 0) {
            batch.get(0).sge(region, offset, length);
        }
        if (queuePair.postReceive(batch, 1) != 1) {
            fail("receive " + id + " was not taken: " + batch.refusal());
        }
    }

    /**
     * Waits for completions of sends.
     *
     * @param count how many must come
     * @return exactly as many, in order
     */
    public List<Completion> awaitSends(int count) {
        return await("sends", queuePair.sendCq(), count);
    }

    /**
     * Waits for completions of receives.
     *
     * @param count how many must come
     * @return exactly as many, in order
     */
    public List<Completion> awaitReceives(int count) {
        return await("receives", queuePair.receiveCq(), count);
    }

    private List<Completion> await(String what, CompletionQueue queue, int count) {
        List<Completion> found = new ArrayList<>();
        boolean inTime = await(
                () -> {
                    if (found.size() < count) {
                        poll(queue, count - found.size(), found);
                    }
                    return found.size() == count;
                },
                rig.patience());
        if (!inTime) {
            fail("only " + found.size() + " of " + count + " " + what + " of " + queuePair + " completed within "
                    + rig.patience() + ": " + found);
        }
        return found;
    }

    /** Checks that no completion of either kind is there or comes. */
    public void assertQuiet() {
        List<Completion> surplus = new ArrayList<>();
        await(
                () -> {
                    poll(queuePair.sendCq(), POLL_BATCH, surplus);
                    poll(queuePair.receiveCq(), POLL_BATCH, surplus);
                    return !surplus.isEmpty();
                },
                rig.silence());
        assertEquals(List.of(), surplus, () -> "completions of " + queuePair + " that nobody asked for");
    }

    private static void poll(CompletionQueue queue, int most, List<Completion> into) {
        WorkCompletions batch = queue.newCompletions(most);
        int count = queue.poll(batch);
        for (int i = 0; i < count; i++) {
            into.add(Completion.of(batch.get(i)));
        }
    }

    private boolean await(BooleanSupplier condition, Duration timeout) {
        try {
            return rig.runtime().await(condition, timeout);
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for completions", interruption);
        }
    }

    /** Closes what was opened, the last first. */
    @Override
    public void close() throws VerbsException {
        VerbsException first = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (VerbsException refused) {
                if (first == null) {
                    first = refused;
                } else {
                    first.addSuppressed(refused);
                }
            } catch (Exception other) {
                throw new IllegalStateException(other);
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
