package dev.verbena.conformance;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventChannel;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsBusyException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Faults that the kit must find, each by the rule that names it. */
final class Mutants {
    private Mutants() {}

    static Stream<Mutant> all() {
        return Stream.of(packets(), sends(), calls(), events()).flatMap(List::stream);
    }

    private static Mutant packet(
            String rule, String fault, Predicate<Opcode> which, BiConsumer<SimPacket, Opcode> change) {
        return Mutant.ofPackets(rule, fault, packet -> {
            Opcode opcode = packet.opcode();
            if (which.test(opcode)) {
                change.accept(packet, opcode);
            }
        });
    }

    private static void flip(SimPacket packet, long offset) {
        byte was = packet.segment().get(ValueLayout.JAVA_BYTE, offset);
        packet.segment().set(ValueLayout.JAVA_BYTE, offset, (byte) (was ^ 1));
    }

    private static List<Mutant> packets() {
        return List.of(
                packet(
                        "MTU-01",
                        "the last packet of a SEND has a bit inverted",
                        opcode -> opcode == Opcode.RC_SEND_LAST,
                        (packet, opcode) -> flip(packet, packet.payloadOffset())),
                packet(
                        "MTU-02",
                        "a WRITE lands one byte too far",
                        opcode -> opcode.isWrite() && opcode.hasReth(),
                        (packet, opcode) ->
                                packet.reth().virtualAddress(packet.reth().virtualAddress() + 1)),
                packet(
                        "MTU-03",
                        "the middle of a READ's answer has a bit inverted",
                        opcode -> opcode.isReadResponse() && opcode.isMiddle(),
                        (packet, opcode) -> flip(packet, packet.payloadOffset())),
                packet("RNR-06", "the RNR timer is off by one code", opcode -> opcode.isAck(), (packet, opcode) -> {
                    Aeth aeth = packet.aeth();
                    if (aeth.kind() == Aeth.Kind.RNR_NAK) {
                        aeth.syndrome(aeth.syndrome() & 0xE0 | (aeth.syndrome() + 1) & 0x1F);
                    }
                }),
                packet(
                        "MEM-01",
                        "an access error is reported as an invalid request",
                        opcode -> opcode.isAck(),
                        (packet, opcode) -> {
                            if (packet.aeth().syndrome() == 0x62) {
                                packet.aeth().syndrome(0x61);
                            }
                        }),
                packet(
                        "WIRE-11",
                        "the message sequence number stands still",
                        opcode -> opcode.isAck(),
                        (packet, opcode) -> packet.aeth().msn(0)),
                packet(
                        "WIRE-05",
                        "another P_Key",
                        opcode -> true,
                        (packet, opcode) -> packet.bth().partitionKey(0x1234)),
                packet(
                        "WIRE-06",
                        "no acknowledgement is asked for",
                        opcode -> opcode.isEnd() && opcode.isRequest(),
                        (packet, opcode) -> packet.bth().ackRequest(false)),
                packet(
                        "EVENT-04",
                        "the solicited bit is lost",
                        opcode -> true,
                        (packet, opcode) -> packet.bth().solicitedEvent(false)),
                packet(
                        "COMP-15",
                        "immediate data in the byte order of the host",
                        Opcode::hasImmediate,
                        (packet, opcode) -> packet.immDt()
                                .data(Integer.reverseBytes(packet.immDt().data()))),
                packet("ATOMIC-02", "compare and swap are exchanged", Opcode::hasAtomicEth, (packet, opcode) -> {
                    long swap = packet.atomicEth().swapOrAdd();
                    packet.atomicEth().swapOrAdd(packet.atomicEth().compare());
                    packet.atomicEth().compare(swap);
                }),
                packet(
                        "UD-01",
                        "a datagram hides its sender",
                        Opcode::hasDeth,
                        (packet, opcode) -> packet.deth().sourceQpn(0)),
                packet(
                        "UD-02",
                        "the Q_Key does not matter",
                        Opcode::hasDeth,
                        (packet, opcode) -> packet.deth().queueKey(0x1111_1111)));
    }

    private static Intercept.Rule ignoring(String method) {
        return call -> call.method().equals(method) ? null : call.proceed();
    }

    private static List<Mutant> sends() {
        return List.of(
                Mutant.ofSends("PLACE-07", "a fence does not wait", ignoring("fence")),
                Mutant.ofSends("POST-05", "inline data is read when it is sent", ignoring("inline")),
                Mutant.ofSends("COMP-01", "a signaled request does not complete", ignoring("signaled")),
                Mutant.ofSends("POST-16", "a small entry is left out", call -> {
                    boolean small = call.method().equals("sge") && (long) call.arguments()[2] <= 8;
                    return small ? null : call.proceed();
                }),
                Mutant.ofSends("WIRE-09", "a long READ brings a packet less", call -> {
                    if (call.method().equals("sge") && (long) call.arguments()[2] > 1000) {
                        call.arguments()[2] = (long) call.arguments()[2] - 256;
                    }
                    return call.proceed();
                }));
    }

    /** Says that a call went well that did not. */
    private static Intercept.Rule swallowing(String method) {
        return call -> {
            try {
                return call.proceed();
            } catch (VerbsException refused) {
                if (call.method().equals(method)) {
                    return null;
                }
                throw refused;
            }
        };
    }

    /** A longer segment than the arena gave out can only be made by a restricted method. */
    @SuppressWarnings("restricted")
    private static List<Mutant> calls() {
        return List.of(
                Mutant.ofQueuePair("POST-01", "a post claims that everything was taken", call -> {
                    Object taken = call.proceed();
                    return call.method().equals("postSend") ? call.arguments()[call.arguments().length - 1] : taken;
                }),
                Mutant.ofQueuePair("STATE-02", "a refused modify is not told", swallowing("modify")),
                Mutant.ofQueuePair("STATE-04", "a refused transition is not told", swallowing("modify")),
                Mutant.ofQueuePair("STATE-17", "a query forgets the timeout", call -> {
                    Object result = call.proceed();
                    return result instanceof QpAttributes found
                            ? found.toBuilder().ackTimeout(AckTimeout.NONE).build()
                            : result;
                }),
                Mutant.ofQueuePair(
                        "OBJ-10",
                        "all queue pairs have one number",
                        call -> call.method().equals("number") ? 77 : call.proceed()),
                Mutant.ofQueuePair("LIMITS-06", "more is granted than there is", call -> {
                    Object result = call.proceed();
                    return result instanceof QpCapabilities granted
                            ? granted.withMaxSendWr(granted.maxSendWr() + 1)
                            : result;
                }),
                Mutant.ofDomain("OBJ-01", "a domain in use seems to close", swallowing("close")),
                Mutant.ofDomain("MEM-01", "a region is a byte too long", call -> {
                    if (call.method().equals("registerMemory") && call.arguments()[0] instanceof MemorySegment memory) {
                        call.arguments()[0] = memory.reinterpret(memory.byteSize() + 1);
                    }
                    return call.proceed();
                }),
                Mutant.ofDomain("MEM-02", "every region grants writing", call -> {
                    if (call.method().equals("registerMemory")) {
                        Set<AccessFlag> more = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
                        call.arguments()[call.arguments().length - 1] = more;
                    }
                    return call.proceed();
                }),
                Mutant.ofDevice("OBJ-02", "an arena in use seems to close", call -> {
                    Object result = call.proceed();
                    return result instanceof VerbsArena arena
                            ? Intercept.calls(VerbsArena.class, arena, closing -> {
                                try {
                                    return closing.proceed();
                                } catch (VerbsBusyException busy) {
                                    return null;
                                }
                            })
                            : result;
                }),
                Mutant.ofDevice(
                        "LIMITS-03", "a completion queue beyond the limit is refused with another number", call -> {
                            try {
                                return call.proceed();
                            } catch (VerbsException refused) {
                                throw new VerbsException(Errno.ENOMEM, refused.verb(), "no room");
                            }
                        }));
    }

    /** Changes what comes out of the queue of asynchronous events. */
    private static Mutant events(String rule, String fault, Intercept.Rule change) {
        return Mutant.ofDevice(rule, fault, call -> {
            Object result = call.proceed();
            return result instanceof AsyncEventChannel channel
                    ? Intercept.calls(AsyncEventChannel.class, channel, change)
                    : result;
        });
    }

    private static List<Mutant> events() {
        AsyncEvent[] last = new AsyncEvent[1];
        return List.of(
                events("SRQ-02", "the limit of a shared queue fires twice", call -> {
                    if (last[0] != null) {
                        AsyncEvent again = last[0];
                        last[0] = null;
                        return Optional.of(again);
                    }
                    Object result = call.proceed();
                    if (result instanceof Optional<?> event
                            && event.isPresent()
                            && event.get() instanceof AsyncEvent known
                            && known.type() == AsyncEventType.SRQ_LIMIT_REACHED) {
                        last[0] = known;
                    }
                    return result;
                }),
                events("EVENT-08", "the peer's first message is not announced", call -> {
                    Object result = call.proceed();
                    return result instanceof Optional<?> event
                                    && event.isPresent()
                                    && event.get() instanceof AsyncEvent known
                                    && known.type() == AsyncEventType.COMMUNICATION_ESTABLISHED
                            ? Optional.empty()
                            : result;
                }));
    }
}
