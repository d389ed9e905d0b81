// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AsyncEventChannel;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.ReceiveWorkRequest;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import dev.verbena.verbs.kernel.FastRegistration;
import dev.verbena.verbs.kernel.FastRegistrationRegion;
import dev.verbena.verbs.kernel.FmrRegion;
import dev.verbena.verbs.kernel.FmrRegistration;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Puts a fault between the kit and a provider: into every call of every object, and into every packet. */
final class Intercept {
    private static final List<Class<?>> KINDS = List.of(
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
            AsyncEventChannel.class,
            FastRegistration.class,
            FmrRegistration.class,
            SendRequests.class,
            SendWorkRequest.class,
            ReceiveRequests.class,
            ReceiveWorkRequest.class,
            WorkCompletions.class,
            WorkCompletion.class,
            ConnectionManager.class,
            EventChannel.class,
            ConnectionId.class,
            CmEvent.class);

    private Intercept() {}

    static VerbsProvider provider(VerbsProvider real, Fault fault) {
        return stand(VerbsProvider.class, real, fault);
    }

    static Fabric fabric(Fabric real, Fault fault) {
        return stand(Fabric.class, real, new Fault() {
            @Override
            public @Nullable Object call(Call call) throws Throwable {
                if (!call.is("Fabric.attach")) {
                    return call.proceed();
                }
                PacketReceiver receiver = call.argument(2, PacketReceiver.class);
                call.arguments()[2] = (PacketReceiver) packet -> fault.gets(packet, receiver::onPacket);
                return stand(FabricPort.class, (FabricPort) call.proceed(), sending(fault));
            }
        });
    }

    private static Fault sending(Fault fault) {
        return new Fault() {
            @Override
            public @Nullable Object call(Call call) throws Throwable {
                if (call.is("FabricPort.carriesZeroCopy") || call.is("FabricPort.carriesSegmentBatches")) {
                    // A fault may read or change any byte.
                    return false;
                }
                if (!call.is("FabricPort.send") && !call.is("FabricPort.add")) {
                    return call.proceed();
                }
                fault.sends(call.argument(0, SimPacket.class), call.on(FabricPort.class)::send);
                return null;
            }
        };
    }

    private static <T> T stand(Class<T> kind, @Nullable Object real, Fault fault) {
        return kind.cast(Proxy.newProxyInstance(
                kind.getClassLoader(), new Class<?>[] {kind}, new Handler(kind, kind.cast(real), fault)));
    }

    private record Handler(Class<?> kind, Object real, Fault fault) implements InvocationHandler {
        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
                throws Throwable {
            @Nullable Object[] arguments = given == null ? new Object[0] : given;
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = meant(arguments[i]);
            }
            Call made = new Made(kind.getSimpleName() + "." + method.getName(), method, real, arguments);
            return method.getDeclaringClass() == Object.class ? made.proceed() : shown(fault.call(made), fault);
        }
    }

    private record Made(
            String name, Method method, Object on, @Nullable Object[] arguments) implements Call {
        @Override
        public @Nullable Object proceed() throws Throwable {
            try {
                return method.invoke(on, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        }
    }

    /** Converts a result of the provider to the object that the kit gets. */
    private static @Nullable Object shown(@Nullable Object result, Fault fault) {
        if (result instanceof Optional<?> optional) {
            return optional.map(value -> shown(value, fault));
        }
        for (Class<?> kind : KINDS) {
            if (kind.isInstance(result)) {
                return stand(kind, result, fault);
            }
        }
        return result;
    }

    /** Converts an argument of the kit to the provider's own object. */
    private static @Nullable Object meant(@Nullable Object argument) {
        return switch (argument) {
            case null -> null;
            case CqInitAttributes cq ->
                cq.toBuilder().channel(real(cq.channel())).build();
            case QpInitAttributes qp ->
                qp.toBuilder()
                        .sendCq(real(qp.sendCq()))
                        .receiveCq(real(qp.receiveCq()))
                        .srq(real(qp.srq()))
                        .build();
            case MemoryWindowBinding binding ->
                new MemoryWindowBinding(real(binding.region()), binding.offset(), binding.length(), binding.access());
            case List<?> list -> list.stream().map(Intercept::real).toList();
            default -> real(argument);
        };
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // A stand-in has the type of its real object; null stays null.
    private static <T extends @Nullable Object> T real(T object) {
        return object != null
                        && Proxy.isProxyClass(object.getClass())
                        && Proxy.getInvocationHandler(object) instanceof Handler handler
                ? (T) handler.real()
                : object;
    }
}
