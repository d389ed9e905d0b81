// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceExtension;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import dev.verbena.verbs.kernel.FastRegistration;
import dev.verbena.verbs.kernel.FmrRegistration;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Handles the calls of a proxy for one verbs object, and injects the faults that a test requests. If a test has injected a
 * fault into a call, the call is not executed. A call without an injected fault is forwarded to the wrapped object.
 */
final class FaultyCalls implements InvocationHandler {
    private static final String CLOSE = "close";
    private static final String POLL = "poll";
    /**
     * The names of default methods that only call other methods of the same object. To make a listed default method fail, a
     * test injects the fault into a method that the default method calls.
     */
    private static final Set<String> COMPOSED =
            Set.of("QueuePair.postAll", "SharedReceiveQueue.postAll", "CompletionQueue.await");

    private final FaultyObjects objects;
    private final Object real;
    private final FaultyObjects.@Nullable Opening opening;
    private final List<FaultyCompletions.Delayed> delayed = new ArrayList<>();
    /** The completion handler, if the wrapped object is a completion queue with a handler; otherwise null. */
    private @Nullable FaultyHandler handler;

    FaultyCalls(FaultyObjects objects, Object real, FaultyObjects.@Nullable Opening opening) {
        this.objects = objects;
        this.real = real;
        this.opening = opening;
    }

    /** Returns the {@code FaultyCalls} that handles the calls of a fault-injecting proxy; empty for any other object. */
    static Optional<FaultyCalls> of(Object object) {
        return Proxy.isProxyClass(object.getClass()) && Proxy.getInvocationHandler(object) instanceof FaultyCalls calls
                ? Optional.of(calls)
                : Optional.empty();
    }

    Object real() {
        return real;
    }

    FaultyObjects.@Nullable Opening opening() {
        return opening;
    }

    static String nameOf(Method method) {
        return isAllocation(method)
                ? "VerbsArena.allocate"
                : method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    static boolean mayFail(Method method) {
        return !COMPOSED.contains(nameOf(method))
                && (isPost(method)
                        || isAllocation(method)
                        || List.of(method.getExceptionTypes()).contains(VerbsException.class));
    }

    /**
     * Returns whether a method allocates memory in a {@code VerbsArena}, so that a fault of {@code VerbsArena.allocate}
     * applies to it.
     */
    private static boolean isAllocation(Method method) {
        return method.getDeclaringClass().isAssignableFrom(VerbsArena.class)
                && method.getName().startsWith("allocate");
    }

    private static boolean isPost(Method method) {
        return method.getName().equals("postSend") || method.getName().equals("postReceive");
    }

    @Override
    public @Nullable Object invoke(Object standIn, Method method, @Nullable Object @Nullable [] given)
            throws Throwable {
        @Nullable Object[] arguments = given == null ? new Object[0] : given;
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(method, arguments);
        }
        if (COMPOSED.contains(nameOf(method))) {
            return InvocationHandler.invokeDefault(standIn, method, arguments);
        }
        boolean closes = method.getName().equals(CLOSE);
        boolean refuses = isDead() && !closes;
        if (mayFail(method)) {
            Optional<FaultyCall> call = FaultyCall.of(method);
            Optional<Errno> ordered = call.flatMap(objects.orders()::onCall);
            if (isPost(method)) {
                return post(method, arguments, refuses ? Errno.EIO : ordered.orElse(null));
            }
            if (ordered.isPresent()) {
                VerbsException failure = objects.orders().failure(ordered.get(), call.orElseThrow());
                throw isAllocation(method) ? new OutOfMemoryError(failure.getMessage()) : failure;
            }
            if (refuses && !isAllocation(method)) {
                throw new VerbsException(Errno.EIO, nameOf(method), opening + " was killed by fault injection");
            }
            requireVisible(call.flatMap(known -> Needs.of(known, arguments)));
        }
        Optional<Object> special = special(method, arguments);
        if (special.isPresent()) {
            return special.get();
        }
        if (closes) {
            close(method);
            return null;
        }
        return objects.shown(call(method, arguments), opening);
    }

    private void close(Method method) throws Throwable {
        boolean done = false;
        announceNoMore(true);
        try {
            call(method, new Object[0]);
            done = true;
        } finally {
            announceNoMore(done);
        }
        objects.closed(real, opening);
    }

    private void announceNoMore(boolean gone) {
        if (handler != null) {
            handler.closed(gone);
        }
    }

    private boolean isDead() {
        return opening != null && opening.isDead();
    }

    private Object ofObject(Method method, @Nullable Object[] arguments) {
        return switch (method.getName()) {
            case "equals" -> {
                Object other = arguments[0];
                yield other != null
                        && of(other).filter(calls -> calls.real.equals(real)).isPresent();
            }
            case "hashCode" -> real.hashCode();
            default -> real.toString();
        };
    }

    private @Nullable Object call(Method method, @Nullable Object[] arguments) throws Throwable {
        @Nullable Object[] meant = Stream.of(arguments)
                .map(argument -> objects.meant(argument, opening))
                .toArray();
        try {
            return method.invoke(real, meant);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    private Object post(Method method, @Nullable Object[] arguments, @Nullable Errno errno) throws Throwable {
        FaultyRequests<?> batch = (FaultyRequests<?>) arguments[0];
        if (batch == null) {
            throw new NullPointerException("no batch was given");
        }
        int first = arguments.length == 3 ? number(arguments[1]) : 0;
        int count = number(arguments[arguments.length - 1]);
        if (errno != null) {
            batch.refuse(refusalOf(errno), first);
            return 0;
        }
        int able = batch instanceof FaultyRequests.Sends sends ? ableToSend(sends, first, count) : count;
        batch.refuse(PostRefusal.NONE, 0);
        if (able == count) {
            return result(method, arguments);
        }
        int taken = able == 0 || !(real instanceof QueuePair queuePair)
                ? 0
                : queuePair.postSend((SendRequests) batch.real, first, able);
        if (taken == able) {
            batch.refuse(PostRefusal.OPCODE_NOT_SUPPORTED, first + able);
        }
        return taken;
    }

    private static int number(@Nullable Object argument) {
        return argument instanceof Integer number ? number : 0;
    }

    /**
     * Returns how many of {@code count} send requests precede the first that needs a capability hidden by {@code
     * FaultyProvider.hide}. Returns {@code count} if no send request needs a hidden capability.
     */
    private int ableToSend(FaultyRequests.Sends sends, int first, int count) {
        for (int i = 0; i < count && first + i < sends.capacity(); i++) {
            if (sends.get(first + i).needs().stream().anyMatch(objects.orders()::isHidden)) {
                return i;
            }
        }
        return count;
    }

    private void requireVisible(Optional<Needs> needs) throws CapabilityException {
        if (needs.isEmpty() || opening == null) {
            return;
        }
        Set<Capability> all = opening.device().capabilities();
        Set<Capability> enough = needs.get().capabilities();
        // If the device itself lacks a capability, the call of the wrapped provider fails.
        Optional<Capability> hidden = enough.stream()
                .filter(capability ->
                        all.contains(capability) && objects.orders().isHidden(capability))
                .findFirst();
        boolean another = objects.orders().visible(all).stream().anyMatch(enough::contains);
        if (hidden.isPresent() && !another) {
            throw new CapabilityException(
                    hidden.get(), needs.get().verb(), opening.device().name());
        }
    }

    private static PostRefusal refusalOf(Errno errno) {
        return Arrays.stream(PostRefusal.values())
                .filter(refusal -> refusal != PostRefusal.NONE && refusal.errno() == errno)
                .findFirst()
                .orElse(PostRefusal.DEVICE_ERROR);
    }

    /**
     * Executes a call that the proxy must not forward unchanged to the wrapped object. Returns empty if the proxy can
     * forward the call.
     */
    private Optional<Object> special(Method method, @Nullable Object[] arguments) throws Throwable {
        String name = method.getName();
        if (real instanceof Device device) {
            return ofDevice(device, name, arguments);
        }
        if (real instanceof CompletionQueue queue && name.equals(POLL)) {
            return Optional.of(poll(queue, (FaultyCompletions) arguments[0]));
        }
        if (handler != null && name.equals("requestNotification")) {
            handler.arm();
        }
        return switch (name) {
            case "newCompletions" -> Optional.of(new FaultyCompletions((WorkCompletions) result(method, arguments)));
            case "newSendRequests" -> Optional.of(new FaultyRequests.Sends((SendRequests) result(method, arguments)));
            case "newReceiveRequests" ->
                Optional.of(new FaultyRequests.Receives((ReceiveRequests) result(method, arguments)));
            case "registerBy" -> {
                result(method, arguments);
                yield Optional.of(((FaultySend) Objects.requireNonNull(arguments[0])).registers());
            }
            default -> Optional.empty();
        };
    }

    private Object result(Method method, @Nullable Object[] arguments) throws Throwable {
        Object result = call(method, arguments);
        if (result == null) {
            throw new IllegalStateException(nameOf(method) + " of the real provider returned null");
        }
        return result;
    }

    private int poll(CompletionQueue queue, @Nullable FaultyCompletions into) {
        if (into == null) {
            throw new NullPointerException("no batch was given");
        }
        return isDead()
                ? into.empty()
                : into.fill(queue, delayed, objects.orders(), objects.runtime(), () -> announce(queue));
    }

    /** Calls the completion handler of a queue for a completion whose delay is over. */
    private void announce(CompletionQueue queue) {
        if (handler != null) {
            handler.onCompletion(queue);
        }
        objects.runtime().wakeUp();
    }

    private CompletionQueue createCq(Device device, @Nullable Object wanted) throws VerbsException {
        CqInitAttributes attributes = (CqInitAttributes) Objects.requireNonNull(objects.meant(wanted, opening));
        CompletionQueue made = objects.stand(CompletionQueue.class, device.createCq(attributes), opening);
        of(made).orElseThrow().handler = (FaultyHandler) attributes.handler();
        return made;
    }

    private Optional<Object> ofDevice(Device device, String name, @Nullable Object[] arguments) throws VerbsException {
        return switch (name) {
            case "capabilities" -> Optional.of(objects.orders().visible(device.capabilities()));
            case "require" -> {
                require(device, (Capability) arguments[0], String.valueOf(arguments[1]));
                yield Optional.empty();
            }
            case "asyncEvents" -> opening == null ? Optional.empty() : Optional.of(opening.events());
            case "extension" -> Optional.of(extension(device, (Class<?>) arguments[0]));
            case "createCq" -> Optional.of(createCq(device, arguments[0]));
            default -> Optional.empty();
        };
    }

    private void require(Device device, @Nullable Capability capability, String verb) throws CapabilityException {
        if (capability != null && objects.orders().isHidden(capability)) {
            throw new CapabilityException(capability, verb, device.name());
        }
    }

    private Optional<?> extension(Device device, @Nullable Class<?> type) {
        boolean hidden = (type == FastRegistration.class && objects.orders().isHidden(Capability.FAST_REGISTRATION))
                || (type == FmrRegistration.class && objects.orders().isHidden(Capability.FMR));
        return hidden || type == null
                ? Optional.empty()
                : device.extension(type.asSubclass(DeviceExtension.class))
                        .map(found -> objects.stand(type, found, opening));
    }
}
