// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqAttributes;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.kernel.FastRegistration;
import dev.verbena.verbs.kernel.FmrRegistration;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The existing verbs objects, CM objects and buffers by handle, and the handles in the order of creation. */
final class LocalObjects {
    private volatile Device device;
    private final Map<Integer, AutoCloseable> byHandle = new ConcurrentHashMap<>();
    private final List<Integer> order = new ArrayList<>();

    LocalObjects(Device device) {
        this.device = device;
    }

    /** A completion queue, with the number of completion events that it has raised. */
    static final class Queue implements AutoCloseable {
        private final CompletionQueue queue;
        private final @Nullable CompletionChannel channel;
        private final AtomicInteger announced;

        Queue(CompletionQueue queue, @Nullable CompletionChannel channel, AtomicInteger announced) {
            this.queue = queue;
            this.channel = channel;
            this.announced = announced;
        }

        CompletionQueue queue() {
            return queue;
        }

        int completionEvents() {
            try {
                while (channel != null && channel.poll().isPresent()) {
                    announced.incrementAndGet();
                }
            } catch (VerbsException refused) {
                throw new IllegalStateException(refused);
            }
            return announced.get();
        }

        @Override
        public void close() throws VerbsException {
            queue.close();
            if (channel != null) {
                channel.close();
            }
        }
    }

    <T> T get(int handle, Class<T> type) {
        Object object = byHandle.get(handle);
        if (object == null) {
            throw new IllegalArgumentException("there is no object " + handle);
        }
        return type.cast(object);
    }

    Queue cq(int handle) {
        return get(handle, Queue.class);
    }

    LocalMemory memory(int handle) {
        return get(handle, LocalMemory.class);
    }

    /** Returns the open device on which new objects are created. */
    Device device() {
        return device;
    }

    void use(Device other) {
        device = other;
    }

    /**
     * Adds a new verbs object. If another object has the same handle, closes the new object and throws
     * IllegalArgumentException.
     */
    void keep(int handle, AutoCloseable object) throws VerbsException {
        if (byHandle.putIfAbsent(handle, object) != null) {
            close(object);
            throw new IllegalArgumentException("object " + handle + " exists already");
        }
        synchronized (order) {
            order.add(handle);
        }
    }

    Reply openPd(Step.OpenPd step) throws VerbsException {
        keep(step.handle(), device.allocatePd());
        return new Reply.Done();
    }

    Reply openCq(Step.OpenCq step) throws VerbsException {
        AtomicInteger announced = new AtomicInteger();
        CqInitAttributes.Builder attributes =
                CqInitAttributes.builder().capacity(step.capacity()).completionVector(step.vector());
        CompletionChannel channel = null;
        switch (step.announce()) {
            case NOT -> {}
            case HANDLER -> attributes.handler(queue -> announced.incrementAndGet());
            case CHANNEL -> {
                channel = device.createCompletionChannel();
                attributes.channel(channel);
            }
        }
        try {
            Queue queue = new Queue(device.createCq(attributes.build()), channel, announced);
            keep(step.handle(), queue);
            return new Reply.Count(queue.queue().capacity());
        } catch (VerbsException | RuntimeException refused) {
            if (channel != null) {
                channel.close();
            }
            throw refused;
        }
    }

    Reply allocate(Step.Allocate step) throws VerbsException {
        VerbsArena arena = device.newArena();
        LocalMemory memory;
        try {
            memory = new LocalMemory(arena, step.bytes());
        } catch (RuntimeException | Error refused) {
            arena.close();
            throw refused;
        }
        keep(step.handle(), memory);
        return new Reply.Done();
    }

    Reply register(Step.Register step) throws VerbsException {
        ProtectionDomain domain = get(step.pd(), ProtectionDomain.class);
        MemorySegment memory = memory(step.range().memory())
                .part(step.range().offset(), step.range().length());
        MemoryRegion region = step.iova().isPresent()
                ? domain.registerMemory(memory, step.iova().get(), step.access())
                : domain.registerMemory(memory, step.access());
        keep(step.handle(), region);
        return factsOf(region);
    }

    Reply registerImplicit(Step.RegisterImplicit step) throws VerbsException {
        MemoryRegion region = get(step.pd(), ProtectionDomain.class).registerImplicit(step.access());
        keep(step.handle(), region);
        return factsOf(region);
    }

    Reply reregister(Step.Reregister step) throws VerbsException {
        MemoryRegion region = get(step.region(), MemoryRegion.class);
        region.reregister(
                step.pd().map(pd -> get(pd, ProtectionDomain.class)).orElse(null),
                step.memory()
                        .map(memory -> memory(memory).part(step.offset(), step.length()))
                        .orElse(null),
                step.access().orElse(null));
        return factsOf(region);
    }

    Reply factsOf(MemoryRegion region) {
        return new Reply.RegionFacts(region.address(), region.length(), region.lkey(), region.rkey());
    }

    Reply openQp(Step.OpenQp step) throws VerbsException {
        QueuePair queuePair = get(step.pd(), ProtectionDomain.class).createQp(attributes(step.settings()));
        keep(step.handle(), queuePair);
        return new Reply.QpFacts(queuePair.number(), queuePair.capabilities());
    }

    QpInitAttributes attributes(Step.QpSettings settings) {
        return QpInitAttributes.builder()
                .type(settings.type())
                .sendCq(cq(settings.sendCq()).queue())
                .receiveCq(cq(settings.receiveCq()).queue())
                .srq(settings.srq()
                        .map(srq -> get(srq, SharedReceiveQueue.class))
                        .orElse(null))
                .capabilities(settings.capabilities())
                .signalAll(settings.signalAll())
                .build();
    }

    Reply openSrq(Step.OpenSrq step) throws VerbsException {
        SrqInitAttributes initial = SrqInitAttributes.builder()
                .maxWr(step.maxWr())
                .maxSge(step.maxSge())
                .limit(step.limit())
                .build();
        SharedReceiveQueue srq = get(step.pd(), ProtectionDomain.class).createSrq(initial);
        keep(step.handle(), srq);
        return new Reply.SrqFacts(granted(srq, initial.attributes()));
    }

    /** Returns the attributes of a new shared receive queue. Some drivers, such as siw, have no ibv_query_srq(3). */
    private static SrqAttributes granted(SharedReceiveQueue srq, SrqAttributes requested) throws VerbsException {
        try {
            return srq.query();
        } catch (VerbsException refused) {
            if (refused.errno() == Errno.EOPNOTSUPP) {
                return requested;
            }
            throw refused;
        }
    }

    Reply openAh(Step.OpenAh step) throws VerbsException {
        keep(step.handle(), get(step.pd(), ProtectionDomain.class).createAh(step.vector()));
        return new Reply.Done();
    }

    Reply openWindow(Step.OpenWindow step) throws VerbsException {
        keep(step.handle(), get(step.pd(), ProtectionDomain.class).allocateMw(step.type()));
        return new Reply.Done();
    }

    Reply openFastRegion(Step.OpenFastRegion step) throws VerbsException {
        FastRegistration extension = device.extension(FastRegistration.class)
                .orElseThrow(() -> new CapabilityException(Capability.FAST_REGISTRATION, "ib_alloc_mr", device.name()));
        MemoryRegion region = extension.allocate(get(step.pd(), ProtectionDomain.class), step.maxPages(), false);
        keep(step.handle(), region);
        return factsOf(region);
    }

    FmrRegistration fmr() throws CapabilityException {
        return device.extension(FmrRegistration.class)
                .orElseThrow(() -> new CapabilityException(Capability.FMR, "ib_alloc_fmr", device.name()));
    }

    Reply openFmr(Step.OpenFmr step) throws VerbsException {
        MemoryRegion region = fmr().allocate(get(step.pd(), ProtectionDomain.class), step.maxPages(), step.access());
        keep(step.handle(), region);
        return factsOf(region);
    }

    Event named(AsyncEvent event) {
        Object subject = Optional.<Object>ofNullable(event.queuePair())
                .or(() -> Optional.ofNullable(event.completionQueue()))
                .or(() -> Optional.ofNullable(event.srq()))
                .orElse(device);
        return new Event(event.type(), handleOf(subject));
    }

    int handleOf(Object subject) {
        for (Map.Entry<Integer, AutoCloseable> entry : byHandle.entrySet()) {
            AutoCloseable object = entry.getValue();
            if (object.equals(subject)
                    || object instanceof Queue queue && queue.queue().equals(subject)) {
                return entry.getKey();
            }
        }
        return -1;
    }

    Reply close(int handle) throws VerbsException {
        close(get(handle, AutoCloseable.class));
        byHandle.remove(handle);
        synchronized (order) {
            order.removeIf(each -> each == handle);
        }
        return new Reply.Done();
    }

    private static void close(AutoCloseable object) throws VerbsException {
        try {
            object.close();
        } catch (VerbsException | RuntimeException refused) {
            throw refused;
        } catch (Exception other) {
            throw new IllegalStateException(other);
        }
    }

    /**
     * Closes all existing objects in rounds. Each round tries to close each remaining object once, in reverse order of
     * creation. Further rounds follow until no object remains, or until a round has closed no object. The first round
     * cannot close a protection domain in which an older memory region was reregistered; the second round can. If objects
     * remain, throws an exception that contains each failure of the last round, as the cause or as a suppressed exception.
     */
    void closeAll() {
        boolean progress = true;
        RuntimeException refusal = null;
        while (progress && !order.isEmpty()) {
            progress = false;
            refusal = null;
            for (Integer handle : List.copyOf(order).reversed()) {
                try {
                    close(handle);
                    progress = true;
                } catch (VerbsException | RuntimeException refused) {
                    if (refusal == null) {
                        refusal = new IllegalStateException(
                                "object " + handle + " cannot be closed: " + refused, refused);
                    } else {
                        refusal.addSuppressed(refused);
                    }
                }
            }
        }
        if (refusal != null) {
            throw refusal;
        }
    }
}
