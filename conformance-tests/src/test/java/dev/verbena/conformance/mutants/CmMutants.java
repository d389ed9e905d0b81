// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.MulticastRole;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.CmReject;
import dev.verbena.wire.mad.CmReply;
import dev.verbena.wire.mad.CmRequest;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.SidrReply;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Rule area CM: connections by address and port. */
final class CmMutants {
    private static final Gid SECOND = Gid.parse("192.0.2.2");

    private CmMutants() {}

    private static Fault changing(CmAttribute kind, Consumer<MemorySegment> change) {
        return new Fault() {
            @Override
            public void sends(SimPacket packet, Consumer<SimPacket> on) {
                if (isA(kind, packet)) {
                    change.accept(mad(packet));
                }
                on.accept(packet);
            }
        };
    }

    private static Fault losing(Predicate<SimPacket> which) {
        return new Fault() {
            @Override
            public void sends(SimPacket packet, Consumer<SimPacket> on) {
                if (isManagement(packet) && which.test(packet)) {
                    packet.release();
                } else {
                    on.accept(packet);
                }
            }
        };
    }

    private static Fault answeringMakesRoom() {
        Set<Integer> unanswered = new HashSet<>();
        return losing(packet -> {
            if (isA(CmAttribute.REP, packet) || isA(CmAttribute.REJ, packet)) {
                unanswered.clear();
            }
            if (!isA(CmAttribute.REQ, packet)) {
                return false;
            }
            int id = new CmRequest().wrap(mad(packet), 0).get(CmRequest.LOCAL_COMM_ID);
            boolean full = !unanswered.isEmpty() && !unanswered.contains(id);
            if (!full) {
                unanswered.add(id);
            }
            return full;
        });
    }

    private static boolean isManagement(SimPacket packet) {
        return packet.opcode() == Opcode.UD_SEND_ONLY && packet.bth().destinationQpn() == MadHeader.GSI_QPN;
    }

    private static boolean isA(CmAttribute kind, SimPacket packet) {
        return isManagement(packet) && new MadHeader().wrap(mad(packet), 0).get(MadHeader.ATTRIBUTE_ID) == kind.id();
    }

    private static MemorySegment mad(SimPacket packet) {
        return packet.segment().asSlice(packet.payloadOffset(), MadHeader.MAD_LENGTH);
    }

    private static void invert(MemorySegment mad, long at) {
        mad.set(ValueLayout.JAVA_BYTE, at, (byte) ~mad.get(ValueLayout.JAVA_BYTE, at));
    }

    private static void reason(MemorySegment mad, int from, int to) {
        CmReject reject = new CmReject().wrap(mad, 0);
        if (reject.get(CmReject.REASON) == from) {
            reject.set(CmReject.REASON, to);
        }
    }

    static List<Mutant> connecting() {
        return List.of(
                Mutant.of(
                        "CM-01",
                        "an answer names another queue pair",
                        () -> changing(CmAttribute.REP, mad -> {
                            CmReply reply = new CmReply().wrap(mad, 0);
                            reply.set(CmReply.LOCAL_QPN, reply.get(CmReply.LOCAL_QPN) + 1);
                        })),
                Mutant.of(
                        "CM-02",
                        "a byte of an answer's private data is wrong",
                        () -> changing(CmAttribute.REP, mad -> invert(mad, new CmReply().privateDataOffset()))),
                Mutant.of(
                        "CM-03", "what cannot be sent is not refused", () -> Breaks.forgiving("ConnectionId.connect")),
                Mutant.of(
                        "CM-04",
                        "the depths of a request are interchanged",
                        () -> changing(CmAttribute.REQ, mad -> {
                            CmRequest request = new CmRequest().wrap(mad, 0);
                            int depth = request.get(CmRequest.INITIATOR_DEPTH);
                            request.set(CmRequest.INITIATOR_DEPTH, request.get(CmRequest.RESPONDER_RESOURCES))
                                    .set(CmRequest.RESPONDER_RESOURCES, depth);
                        })),
                Mutant.of(
                        "CM-05",
                        "the first PSN of an answer is off by one",
                        () -> changing(CmAttribute.REP, mad -> {
                            CmReply reply = new CmReply().wrap(mad, 0);
                            reply.set(CmReply.STARTING_PSN, (reply.get(CmReply.STARTING_PSN) + 1) & 0xFF_FFFF);
                        })),
                Mutant.of(
                        "CM-06",
                        "a user's rejection has the reason of a missing listener",
                        () -> changing(CmAttribute.REJ, mad -> reason(mad, 28, 8))),
                Mutant.of(
                        "CM-07",
                        "a missing listener has the reason of a user's rejection",
                        () -> changing(CmAttribute.REJ, mad -> reason(mad, 8, 28))),
                Mutant.of(
                        "CM-08",
                        "the port of the asker is wrong",
                        () -> changing(
                                CmAttribute.REQ,
                                mad -> new RdmaCmHeader()
                                        .wrap(new CmRequest().wrap(mad, 0))
                                        .set(RdmaCmHeader.PORT, 1))),
                Mutant.of(
                        "CM-09 CM-10",
                        "an address that cannot be had is not refused",
                        () -> Breaks.forgiving("ConnectionId.bind")),
                Mutant.of("CM-11", "listening is never refused", () -> Breaks.forgiving("ConnectionId.listen")),
                Mutant.of(
                        "CM-12",
                        "there is no backlog",
                        () -> Breaks.on("ConnectionId.listen", call -> {
                            call.arguments()[0] = 0;
                            return call.proceed();
                        })),
                Mutant.of("CM-13", "establish does nothing", () -> Breaks.skipping("ConnectionId.establish")),
                Mutant.of(
                        "CM-13",
                        "the first PSN that an external queue pair expects is off by one",
                        () -> Breaks.on("ConnectionId.initQpAttributes", call -> {
                            QpAttributes given = (QpAttributes) call.proceed();
                            return given.has(QpAttribute.RQ_PSN)
                                    ? given.toBuilder()
                                            .rqPsn(Psn.of(given.rqPsn().value() + 1 & 0xFF_FFFF))
                                            .build()
                                    : given;
                        })),
                Mutant.of("CM-14", "migrate does nothing", () -> Breaks.skipping("ConnectionId.migrate")),
                Mutant.of(
                        "CM-15",
                        "the type of service is not set",
                        () -> Breaks.skipping("ConnectionId.setTypeOfService")),
                Mutant.of("CM-16", "the ACK timeout is not set", () -> Breaks.skipping("ConnectionId.setAckTimeout")),
                Mutant.of(
                        "CM-17 CM-26 CM-27 CM-42",
                        "events say that all went well",
                        () -> Breaks.on("CmEvent.status", call -> 0)),
                Mutant.of(
                        "CM-18",
                        "the second side's requests are lost",
                        () -> losing(packet -> isA(CmAttribute.REQ, packet)
                                && packet.sourceHi() == SECOND.high()
                                && packet.sourceLo() == SECOND.low())),
                Mutant.of(
                        "CM-19",
                        "a request counts against a backlog of 1 until it is answered",
                        CmMutants::answeringMakesRoom));
    }

    static List<Mutant> ending() {
        return List.of(
                Mutant.of("CM-20 CM-23", "disconnect does nothing", () -> Breaks.skipping("ConnectionId.disconnect")),
                Mutant.of("CM-21", "timewait is never over", () -> hiding(CmEventType.TIMEWAIT_EXIT)),
                Mutant.of("CM-22", "disconnecting is lost", () -> losing(packet -> isA(CmAttribute.DREQ, packet))),
                Mutant.of("CM-24", "nothing is repeated", () -> {
                    Set<Integer> sent = new HashSet<>();
                    return losing(
                            packet -> !sent.add(Arrays.hashCode(mad(packet).toArray(ValueLayout.JAVA_BYTE))));
                }),
                Mutant.of("CM-25 CM-30", "a disconnection is reported twice", CmMutants::repeating),
                Mutant.of("CM-28", "rejections are lost", () -> losing(packet -> isA(CmAttribute.REJ, packet))),
                Mutant.of(
                        "CM-29",
                        "a channel can be closed before its ids",
                        () -> Breaks.forgiving("EventChannel.close")));
    }

    private static Fault hiding(CmEventType type) {
        return Breaks.on("EventChannel.await", call -> {
            @Nullable Object result = call.proceed();
            return result instanceof Optional<?> event
                            && event.isPresent()
                            && event.get() instanceof CmEvent happened
                            && happened.type() == type
                    ? Optional.empty()
                    : result;
        });
    }

    private static Fault repeating() {
        Deque<Object> again = new ArrayDeque<>();
        return Breaks.on("EventChannel.await", call -> {
            if (!again.isEmpty()) {
                return again.pop();
            }
            @Nullable Object result = call.proceed();
            if (result instanceof Optional<?> event
                    && event.isPresent()
                    && event.get() instanceof CmEvent happened
                    && happened.type() == CmEventType.DISCONNECTED) {
                again.push(result);
            }
            return result;
        });
    }

    static List<Mutant> datagrams() {
        return List.of(
                Mutant.of(
                        "CM-40",
                        "the Q_Key of a service is wrong",
                        () -> changing(CmAttribute.SIDR_REP, mad -> {
                            SidrReply reply = new SidrReply().wrap(mad, 0);
                            reply.set(SidrReply.QUEUE_KEY, reply.get(SidrReply.QUEUE_KEY) + 1);
                        })),
                Mutant.of(
                        "CM-41",
                        "a byte of the private data of a service is wrong",
                        () -> changing(CmAttribute.SIDR_REP, mad -> invert(mad, new SidrReply().privateDataOffset()))),
                Mutant.of("CM-43", "disconnecting is never refused", () -> Breaks.forgiving("ConnectionId.disconnect")),
                Mutant.of(
                        "CM-44", "leaving a group does nothing", () -> Breaks.skipping("ConnectionId.leaveMulticast")),
                Mutant.of(
                        "CM-45",
                        "who only sends is a full member",
                        () -> Breaks.on("ConnectionId.joinMulticast", call -> {
                            call.arguments()[1] = MulticastRole.FULL_MEMBER;
                            return call.proceed();
                        })));
    }
}
