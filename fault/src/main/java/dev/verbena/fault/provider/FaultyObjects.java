// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventHandler;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionHandler;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsRuntime;
import dev.verbena.verbs.kernel.FastRegistration;
import dev.verbena.verbs.kernel.FastRegistrationRegion;
import dev.verbena.verbs.kernel.FmrRegion;
import dev.verbena.verbs.kernel.FmrRegistration;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fault-injecting proxies for the verbs objects of the wrapped provider. Each verbs object has only one proxy, so an
 * application can compare proxies like verbs objects.
 */
final class FaultyObjects {
    /** The interfaces of the verbs objects that get a proxy. Each interface precedes its superinterfaces. */
    static final List<Class<?>> KINDS = List.of(
            Device.class,
            ProtectionDomain.class,
            CompletionQueue.class,
            CompletionChannel.class,
            QueuePair.class,
            SharedReceiveQueue.class,
            FastRegistrationRegion.class,
            FmrRegion.class,
            MemoryRegion.class,
            MemoryWindow.class,
            AddressHandle.class,
            VerbsArena.class,
            FastRegistration.class,
            FmrRegistration.class,
            ConnectionManager.class,
            EventChannel.class,
            ConnectionId.class,
            CmEvent.class);

    private final FaultOrders orders;
    private final VerbsProvider real;
    private final IdentityHashMap<Object, Object> standIns = new IdentityHashMap<>();
    private final List<Opening> openings = new ArrayList<>();
    private final Set<String> dead = new HashSet<>();

    FaultyObjects(FaultOrders orders, VerbsProvider real) {
        this.orders = orders;
        this.real = real;
    }

    /** Each call that opens a device creates one {@code Opening}. */
    static final class Opening {
        private final Device device;
        private final String name;
        private final FaultyEvents events;
        private volatile boolean dead;

        Opening(Device device, String name, FaultyEvents events) {
            this.device = device;
            this.name = name;
            this.events = events;
        }

        boolean isDead() {
            return dead;
        }

        FaultyEvents events() {
            return events;
        }

        Device device() {
            return device;
        }

        @Override
        public String toString() {
            return "device " + name;
        }
    }

    FaultOrders orders() {
        return orders;
    }

    VerbsRuntime runtime() {
        return real.runtime();
    }

    synchronized boolean isDead(String deviceName) {
        return dead.contains(deviceName);
    }

    Device open(String deviceName) throws VerbsException {
        Optional<Errno> ordered = orders.onCall(FaultyCall.VERBS_PROVIDER_OPEN);
        if (ordered.isPresent()) {
            throw orders.failure(ordered.get(), FaultyCall.VERBS_PROVIDER_OPEN);
        }
        if (isDead(deviceName)) {
            throw new VerbsException(
                    Errno.ENODEV,
                    FaultyCall.VERBS_PROVIDER_OPEN.toString(),
                    "device " + deviceName + " was killed by fault injection");
        }
        Device device = real.open(deviceName);
        Opening[] opening = new Opening[1];
        opening[0] = new Opening(
                device,
                deviceName,
                new FaultyEvents(device.asyncEvents(), deviceName, event -> shown(event, opening[0]), runtime()));
        synchronized (this) {
            openings.add(opening[0]);
        }
        return stand(Device.class, device, opening[0]);
    }

    void kill(String deviceName) {
        List<Opening> dying;
        synchronized (this) {
            dead.add(deviceName);
            dying = openings.stream()
                    .filter(opening -> opening.name.equals(deviceName) && !opening.dead)
                    .toList();
            dying.forEach(opening -> opening.dead = true);
        }
        for (Opening opening : dying) {
            opening.events.raise(AsyncEvent.ofDevice(AsyncEventType.DEVICE_FATAL, deviceOf(opening)));
        }
    }

    private synchronized Device deviceOf(Opening opening) {
        for (Object standIn : standIns.values()) {
            if (standIn instanceof Device device
                    && FaultyCalls.of(standIn).orElseThrow().opening() == opening) {
                return device;
            }
        }
        throw new IllegalStateException(opening + " has been closed");
    }

    /** Removes the proxy of a closed object. For a device, also closes the device's {@code AsyncEventChannel}. */
    void closed(Object realObject, @Nullable Opening opening) {
        synchronized (this) {
            standIns.remove(realObject);
            if (opening == null || !(realObject instanceof Device)) {
                return;
            }
            openings.remove(opening);
        }
        opening.events.close();
    }

    /** Returns the proxy for an object that belongs to no device, such as a {@code ProviderExtension}. */
    <T> T stand(Class<T> type, Object realObject) {
        return stand(type, realObject, null);
    }

    synchronized <T> T stand(Class<T> type, Object realObject, @Nullable Opening opening) {
        Object standIn = standIns.computeIfAbsent(
                realObject,
                absent -> Proxy.newProxyInstance(
                        type.getClassLoader(), new Class<?>[] {type}, new FaultyCalls(this, realObject, opening)));
        return type.cast(standIn);
    }

    /** Replaces the verbs objects in a result of the wrapped provider by proxies that inject faults. */
    @Nullable Object shown(@Nullable Object result, @Nullable Opening opening) {
        if (result instanceof Optional<?> optional) {
            return optional.map(value -> shown(value, opening));
        }
        if (result instanceof AsyncEvent event) {
            return shown(event, opening);
        }
        for (Class<?> kind : KINDS) {
            if (kind.isInstance(result)) {
                return stand(kind, result, opening);
            }
        }
        return result;
    }

    private AsyncEvent shown(AsyncEvent event, @Nullable Opening opening) {
        if (event.queuePair() != null) {
            return AsyncEvent.ofQueuePair(event.type(), stand(QueuePair.class, event.queuePair(), opening));
        }
        if (event.completionQueue() != null) {
            return AsyncEvent.ofCompletionQueue(
                    event.type(), stand(CompletionQueue.class, event.completionQueue(), opening));
        }
        if (event.srq() != null) {
            return AsyncEvent.ofSrq(event.type(), stand(SharedReceiveQueue.class, event.srq(), opening));
        }
        Device device = stand(Device.class, event.device(), opening);
        return event.port() == 0
                ? AsyncEvent.ofDevice(event.code(), device)
                : AsyncEvent.ofPort(event.type(), device, event.port());
    }

    /**
     * Converts an argument from the application into the argument for the wrapped provider. Each proxy of this provider is
     * replaced by the object that the proxy wraps.
     */
    @Nullable Object meant(@Nullable Object argument, @Nullable Opening opening) {
        return switch (argument) {
            case null -> null;
            case FaultyRequests<?> batch -> batch.real;
            case FaultySend request -> request.real();
            case CqInitAttributes attributes -> meant(attributes, opening);
            case QpInitAttributes attributes -> meant(attributes, opening);
            case MemoryWindowBinding binding -> real(binding);
            case List<?> list ->
                list.stream().map(each -> meant((Object) each, opening)).toList();
            case CmEventHandler handler ->
                (CmEventHandler) event -> handler.onCmEvent(stand(CmEvent.class, event, opening));
            default -> FaultyCalls.of(argument).map(FaultyCalls::real).orElse(argument);
        };
    }

    private CqInitAttributes meant(CqInitAttributes attributes, @Nullable Opening opening) {
        CompletionHandler handler = attributes.handler();
        return attributes.toBuilder()
                .channel((CompletionChannel) meant((Object) attributes.channel(), opening))
                .handler(
                        handler == null
                                ? null
                                : new FaultyHandler(handler, queue -> stand(CompletionQueue.class, queue, opening)))
                .eventHandler(meant(attributes.eventHandler(), opening))
                .build();
    }

    private QpInitAttributes meant(QpInitAttributes attributes, @Nullable Opening opening) {
        QpInitAttributes.Builder builder = QpInitAttributes.builder()
                .type(attributes.type())
                .sendCq(real(CompletionQueue.class, attributes.sendCq()))
                .receiveCq(real(CompletionQueue.class, attributes.receiveCq()))
                .capabilities(attributes.capabilities())
                .signalAll(attributes.signalAll())
                .context(attributes.context())
                .eventHandler(meant(attributes.eventHandler(), opening));
        SharedReceiveQueue shared = attributes.srq();
        return builder.srq(shared == null ? null : real(SharedReceiveQueue.class, shared))
                .build();
    }

    static MemoryWindowBinding real(MemoryWindowBinding binding) {
        return new MemoryWindowBinding(
                real(MemoryRegion.class, binding.region()), binding.offset(), binding.length(), binding.access());
    }

    static <T> T real(Class<T> type, T object) {
        return type.cast(FaultyCalls.of(object).map(FaultyCalls::real).orElse(object));
    }

    private @Nullable AsyncEventHandler meant(@Nullable AsyncEventHandler handler, @Nullable Opening opening) {
        return handler == null ? null : event -> handler.onAsyncEvent(shown(event, opening));
    }
}
