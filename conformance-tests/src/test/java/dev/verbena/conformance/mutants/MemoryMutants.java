// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import static dev.verbena.conformance.mutants.Breaks.answering;
import static dev.verbena.conformance.mutants.Breaks.granting;
import static dev.verbena.conformance.mutants.Breaks.modifying;
import static dev.verbena.conformance.mutants.Breaks.on;
import static dev.verbena.conformance.mutants.Breaks.repeated;
import static dev.verbena.conformance.mutants.Breaks.sending;
import static dev.verbena.conformance.mutants.Breaks.skipping;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;

/** Rule areas MEM and ATOMIC: regions, keys, rights, windows, atomics. */
final class MemoryMutants {
    private MemoryMutants() {}

    private static Mutant grants(String rules, String what, AccessFlag... more) {
        return Mutant.of(rules, what, () -> granting(more));
    }

    private static Mutant lets(String rule, AccessFlag right) {
        return Mutant.of(
                rule,
                "every queue pair grants " + right,
                () -> modifying(QpAttribute.ACCESS_FLAGS, (other, told) -> {
                    Set<AccessFlag> more = EnumSet.of(right);
                    more.addAll(told.access());
                    other.access(more);
                }));
    }

    static List<Mutant> regions() {
        return List.of(
                Mutant.of("MEM-01 MEM-04", "a region is a byte too long", MemoryMutants::aByteTooLong),
                grants("MEM-02 MEM-17", "every region grants writing", AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE),
                grants("MEM-05", "every region grants reading", AccessFlag.REMOTE_READ),
                grants("MEM-12 MEM-13 MEM-15", "every region can be written to locally", AccessFlag.LOCAL_WRITE),
                grants("MEM-28", "every region can be flushed", AccessFlag.FLUSH_GLOBAL),
                grants("MEM-23", "every region can have windows", AccessFlag.MW_BIND),
                grants("ATOMIC-05", "every region grants atomics", AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC),
                lets("MEM-06", AccessFlag.REMOTE_WRITE),
                lets("MEM-07", AccessFlag.REMOTE_READ),
                lets("ATOMIC-05", AccessFlag.REMOTE_ATOMIC),
                Mutant.of("MEM-03 MEM-16", "a closed region lives on", () -> skipping("MemoryRegion.close")),
                Mutant.of("MEM-08 MEM-11", "domains are not compared", () -> {
                    Map<Object, ProtectionDomain> first = new ConcurrentHashMap<>();
                    return on("ProtectionDomain.registerMemory", call -> {
                        ProtectionDomain domain = call.on(ProtectionDomain.class);
                        ProtectionDomain any = first.computeIfAbsent(domain.device(), absent -> domain);
                        return any.equals(domain)
                                ? call.proceed()
                                : any.registerMemory(call.argument(0, MemorySegment.class), rights(call));
                    });
                }),
                Mutant.of("MEM-09", "the low byte of a key does not count", () -> {
                    Set<Integer> keys = ConcurrentHashMap.newKeySet();
                    return knowingKeys(keys)
                            .and(keyed(key -> keys.stream()
                                    .filter(known -> (known ^ key) >>> Byte.SIZE == 0)
                                    .findFirst()
                                    .orElse(key)));
                }),
                Mutant.of(
                        "MEM-10",
                        "a WRITE of nothing is checked like one of a byte",
                        () -> sending(
                                opcode -> opcode.has(Extension.RETH) && opcode.isWrite(),
                                packet -> packet.reth()
                                        .dmaLength(Math.max(1, packet.reth().dmaLength())))),
                Mutant.of(
                        "MEM-14",
                        "a receive has room to the end of its region",
                        () -> on("ReceiveWorkRequest.sge", call -> {
                            MemoryRegion region = call.argument(0, MemoryRegion.class);
                            call.arguments()[2] = region.length() - call.argument(1, Long.class);
                            return call.proceed();
                        })),
                Mutant.of(
                        "MEM-14",
                        "a message that is too long is answered as an error of the responder",
                        Quirk.BAD_RECEIVE_IS_OPERATION_ERROR),
                Mutant.of("MEM-11", "a request that fails at this side is flushed", Quirk.FAILING_SEND_IS_FLUSHED),
                Mutant.of(
                        "MEM-01 MEM-04",
                        "an access error is reported as an invalid request",
                        () -> sending(Opcode::isAck, packet -> {
                            if (packet.aeth().syndrome() == Aeth.NAK_REMOTE_ACCESS) {
                                packet.aeth().syndrome(Aeth.NAK_INVALID_REQUEST);
                            }
                        })),
                Mutant.of(
                        "MEM-18",
                        "the address that was chosen is not taken",
                        () -> on(
                                "ProtectionDomain.registerMemory",
                                call -> call.has(1, Long.class)
                                        ? call.on(ProtectionDomain.class)
                                                .registerMemory(call.argument(0, MemorySegment.class), rights(call))
                                        : call.proceed())),
                Mutant.of(
                        "MEM-19 MEM-20 MEM-30",
                        "a reregistration changes nothing",
                        () -> skipping("MemoryRegion.reregister")),
                Mutant.of("MEM-29", "unmapping an FMR does nothing", () -> skipping("FmrRegistration.unmap")));
    }

    @SuppressWarnings("unchecked") // The last argument of a registration.
    private static Set<AccessFlag> rights(Call call) {
        return (Set<AccessFlag>) call.argument(call.arguments().length - 1, Set.class);
    }

    /** A longer segment than the arena allocated can only be made by a restricted method. */
    @SuppressWarnings("restricted")
    private static Fault aByteTooLong() {
        return on("ProtectionDomain.registerMemory", call -> {
            MemorySegment memory = call.argument(0, MemorySegment.class);
            call.arguments()[0] = memory.reinterpret(memory.byteSize() + 1);
            return call.proceed();
        });
    }

    private static Fault knowingKeys(Set<Integer> keys) {
        return answering("MemoryRegion.rkey", Integer.class, key -> {
            keys.add(key);
            return key;
        });
    }

    /** Uses another key for WRITEs than the one that was given. */
    private static Fault keyed(IntUnaryOperator key) {
        return on("SendWorkRequest.rdmaWrite", call -> {
            call.arguments()[1] = key.applyAsInt(call.argument(1, Integer.class));
            return call.proceed();
        });
    }

    static List<Mutant> windows() {
        return List.of(
                Mutant.of(
                        "MEM-21",
                        "a window grants all of its region",
                        () -> on("QueuePair.bindMemoryWindow", call -> {
                            MemoryWindowBinding told = call.argument(1, MemoryWindowBinding.class);
                            call.arguments()[1] = new MemoryWindowBinding(
                                    told.region(), 0, told.region().length(), told.access());
                            return call.proceed();
                        })),
                Mutant.of("MEM-22 MEM-24", "whatever the key of a window, its region is meant", () -> {
                    Set<Integer> keys = ConcurrentHashMap.newKeySet();
                    int[] last = new int[1];
                    return granting(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE)
                            .and(on("ProtectionDomain.registerMemory", call -> {
                                Object region = call.proceed();
                                last[0] = region instanceof MemoryRegion made ? made.rkey() : 0;
                                keys.add(last[0]);
                                return region;
                            }))
                            .and(keyed(key -> keys.contains(key) ? key : last[0]));
                }),
                Mutant.of(
                        "MEM-25",
                        "a SEND does not invalidate",
                        () -> on(
                                "SendWorkRequest.sendWithInvalidate",
                                call -> call.on(SendWorkRequest.class).send())),
                Mutant.of(
                        "MEM-26 MEM-27 MODEL-01",
                        "a local invalidation does nothing",
                        () -> on(
                                "SendWorkRequest.localInvalidate",
                                call -> call.on(SendWorkRequest.class).rdmaWrite(0, 0))));
    }

    static List<Mutant> atomics() {
        return List.of(
                Mutant.of(
                        "ATOMIC-01 MODEL-01",
                        "32 bits are added",
                        () -> sending(
                                opcode -> opcode.has(Extension.ATOMIC_ETH),
                                packet -> packet.atomicEth()
                                        .swapOrAdd(packet.atomicEth().swapOrAdd() & 0xFFFF_FFFFL))),
                Mutant.of(
                        "ATOMIC-02",
                        "compare and swap are exchanged",
                        () -> sending(opcode -> opcode.has(Extension.ATOMIC_ETH), packet -> {
                            long swap = packet.atomicEth().swapOrAdd();
                            packet.atomicEth().swapOrAdd(packet.atomicEth().compare());
                            packet.atomicEth().compare(swap);
                        })),
                Mutant.of("ATOMIC-03", "of atomics of two queue pairs one is lost", () -> {
                    Map<Long, Integer> users = new HashMap<>();
                    return sending(opcode -> opcode.has(Extension.ATOMIC_ETH), packet -> {
                        int number = packet.bth().destinationQpn();
                        Integer user = users.put(packet.atomicEth().virtualAddress(), number);
                        if (user != null && user != number) {
                            packet.atomicEth().swapOrAdd(0);
                        }
                    });
                }),
                Mutant.of(
                        "ATOMIC-10",
                        "an ATOMIC_WRITE goes to the aligned address before its own",
                        () -> on(
                                "SendWorkRequest.atomicWrite",
                                call -> call.on(SendWorkRequest.class)
                                        .atomicWrite(
                                                call.argument(0, Long.class) & -Long.BYTES,
                                                call.argument(1, Integer.class)))),
                Mutant.of("ATOMIC-04", "a repeated atomic is carried out anew", MemoryMutants::repeatingAtomics));
    }

    private static Fault repeatingAtomics() {
        List<MemorySegment> registered = new CopyOnWriteArrayList<>();
        Predicate<SimPacket> repeated = repeated();
        return on("ProtectionDomain.registerMemory", call -> {
                    registered.add(call.argument(0, MemorySegment.class));
                    return call.proceed();
                })
                .and(Breaks.getting(opcode -> opcode.has(Extension.ATOMIC_ETH), packet -> {
                    if (repeated.test(packet)) {
                        add(registered, packet.atomicEth().virtualAddress());
                    }
                }));
    }

    private static void add(List<MemorySegment> registered, long address) {
        for (MemorySegment memory : registered) {
            long offset = address - memory.address();
            if (offset >= 0 && offset + Long.BYTES <= memory.byteSize()) {
                memory.set(ValueLayout.JAVA_LONG, offset, memory.get(ValueLayout.JAVA_LONG, offset) + 1);
            }
        }
    }
}
