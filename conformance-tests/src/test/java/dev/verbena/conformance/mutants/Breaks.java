// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsBusyException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkRequests;
import dev.verbena.wire.Opcode;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The parts of faults. */
final class Breaks {
    private Breaks() {}

    /** The replacement of a call. */
    @FunctionalInterface
    interface Body {
        @Nullable Object of(Call call) throws Throwable;
    }

    static Fault on(String name, Body body) {
        return new Fault() {
            @Override
            public @Nullable Object call(Call call) throws Throwable {
                return call.is(name) ? body.of(call) : call.proceed();
            }
        };
    }

    /** Ignores the call and reports success. */
    static Fault skipping(String name) {
        return on(name, call -> null);
    }

    static Fault skipping(String name, Predicate<Call> which) {
        return on(name, call -> which.test(call) ? null : call.proceed());
    }

    /** Reports success for a refused call. */
    static Fault forgiving(String name) {
        return forgiving(name, call -> true);
    }

    static Fault forgiving(String name, Predicate<Call> which) {
        return on(name, call -> {
            boolean forgiven = which.test(call);
            try {
                return call.proceed();
            } catch (VerbsException | VerbsBusyException refused) {
                if (forgiven) {
                    return null;
                }
                throw refused;
            }
        });
    }

    static Fault refusing(String name, Errno errno, Predicate<Call> which) {
        return on(name, call -> {
            if (which.test(call)) {
                throw new VerbsException(errno, name, "not now");
            }
            return call.proceed();
        });
    }

    static Fault renaming(String name, Errno errno) {
        return on(name, call -> {
            try {
                return call.proceed();
            } catch (VerbsException refused) {
                throw new VerbsException(errno, name, "no room");
            }
        });
    }

    static <T> Fault answering(String name, Class<T> type, UnaryOperator<T> change) {
        return on(name, call -> change.apply(type.cast(call.proceed())));
    }

    /** Accepts a request that should be refused for this reason, and drops it. */
    static Fault forgetting(PostRefusal reason) {
        return new Fault() {
            @Override
            public @Nullable Object call(Call call) throws Throwable {
                Object taken = call.proceed();
                return call.name().contains(".post")
                                && call.argument(0, WorkRequests.class).refusal() == reason
                        ? call.arguments()[call.arguments().length - 1]
                        : taken;
            }
        };
    }

    static QpAttributes attributes(Call call) {
        return call.argument(0, QpAttributes.class);
    }

    static boolean has(Call call, QpAttribute attribute) {
        return attributes(call).has(attribute);
    }

    /** A modify to a state. */
    static Predicate<Call> to(QpState state) {
        return call -> has(call, QpAttribute.STATE) && attributes(call).state() == state;
    }

    /** A call of a queue pair in a state. */
    static Predicate<Call> in(QpState state) {
        return call -> call.on(QueuePair.class).state() == state;
    }

    static Fault modifying(QpAttribute which, BiConsumer<QpAttributesBuilder, QpAttributes> change) {
        return on("QueuePair.modify", call -> {
            if (has(call, which)) {
                QpAttributesBuilder other = attributes(call).toBuilder();
                change.accept(other, attributes(call));
                call.arguments()[0] = other.build();
            }
            return call.proceed();
        });
    }

    static Fault granting(AccessFlag... more) {
        return on("ProtectionDomain.registerMemory", call -> {
            int last = call.arguments().length - 1;
            Set<AccessFlag> all = EnumSet.noneOf(AccessFlag.class);
            all.addAll(List.of(more));
            for (Object flag : call.argument(last, Set.class)) {
                all.add((AccessFlag) flag);
            }
            call.arguments()[last] = all;
            return call.proceed();
        });
    }

    static Fault losing(AsyncEventType type) {
        return on("AsyncEventChannel.poll", call -> {
            Object found = call.proceed();
            while (is(found, type)) {
                found = call.proceed();
            }
            return found;
        });
    }

    static Fault repeating(AsyncEventType type) {
        Queue<Object> again = new ConcurrentLinkedQueue<>();
        return on("AsyncEventChannel.poll", call -> {
            Object second = again.poll();
            Object found = second == null ? call.proceed() : second;
            if (second == null && is(found, type)) {
                again.add(found);
            }
            return found;
        });
    }

    private static boolean is(@Nullable Object found, AsyncEventType type) {
        return found instanceof Optional<?> event
                && event.isPresent()
                && event.get() instanceof AsyncEvent known
                && known.type() == type;
    }

    /** The effect on a packet. */
    @FunctionalInterface
    interface Passing {
        void of(SimPacket packet, Consumer<SimPacket> on);
    }

    static Fault sends(Passing passing) {
        return new Fault() {
            @Override
            public void sends(SimPacket packet, Consumer<SimPacket> on) {
                passing.of(packet, on);
            }
        };
    }

    static Fault gets(Passing passing) {
        return new Fault() {
            @Override
            public void gets(SimPacket packet, Consumer<SimPacket> on) {
                passing.of(packet, on);
            }
        };
    }

    static Fault sending(Predicate<Opcode> which, Consumer<SimPacket> change) {
        return sends(changing(which, change));
    }

    static Fault getting(Predicate<Opcode> which, Consumer<SimPacket> change) {
        return gets(changing(which, change));
    }

    private static Passing changing(Predicate<Opcode> which, Consumer<SimPacket> change) {
        return (packet, on) -> {
            if (which.test(packet.opcode())) {
                change.accept(packet);
            }
            on.accept(packet);
        };
    }

    /** Inverts a bit of the last byte of a packet's payload, if it has any. */
    static void damage(SimPacket packet) {
        if (packet.payloadLength() > 0) {
            long last = (long) packet.payloadOffset() + packet.payloadLength() - 1;
            byte was = packet.segment().get(ValueLayout.JAVA_BYTE, last);
            packet.segment().set(ValueLayout.JAVA_BYTE, last, (byte) (was ^ 1));
        }
    }

    /** Returns for each packet whether an equal one was sent before. */
    static Predicate<SimPacket> repeated() {
        Set<Long> seen = new HashSet<>();
        return packet -> {
            long kind = packet.opcode().isResponse() ? 1 : 0;
            long number = (long) packet.bth().destinationQpn() << Integer.SIZE
                    | packet.bth().psn();
            synchronized (seen) {
                return !seen.add(number << 1 | kind);
            }
        };
    }

    /** The queue pairs of both devices, as a fault sees them come. */
    static final class Watch implements Fault {
        final List<QueuePair> queuePairs = new CopyOnWriteArrayList<>();

        @Override
        public @Nullable Object call(Call call) throws Throwable {
            Object result = call.proceed();
            if (result instanceof QueuePair made) {
                queuePairs.add(made);
            }
            return result;
        }

        boolean has(int number, QpState state) {
            return queuePairs.stream().anyMatch(each -> each.number() == number && each.state() == state);
        }
    }
}
