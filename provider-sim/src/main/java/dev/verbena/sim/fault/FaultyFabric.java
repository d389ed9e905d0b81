// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fault;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkPacket;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.LinkFabric;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.Registration;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.random.RandomGenerator;

/**
 * A fabric that injects faults. For every sent packet, the fault rules return an action ({@link Verdict}, such as a drop)
 * before the wrapped fabric gets the packet. Each link has its own random generator, seeded by the scheduler's seed and the
 * link's name. Packets on one link do not change the faults on other links. For a multicast packet, the fault rules return
 * one action for all members together. A packet without a fault passes through this fabric without a copy or an allocation.
 *
 * <p>A fabric made by {@link #atOneEnd} also applies the fault rules to packets that arrive from other processes.
 */
public final class FaultyFabric implements Fabric {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private final boolean judgesReceived;
    private final SimRuntime runtime;
    private final LinkFabric<FaultyLink> fabric;
    private final AtomicLongArray counts = new AtomicLongArray(FaultKind.values().length);

    /** The current fault rules: those from {@link #add}, then those of the fault plan. Each change replaces the list. */
    private volatile List<LinkRule> rules;

    private int commanded;

    /**
     * The GIDs of this fabric's ports. This fabric applies the fault rules to a packet of its own ports when the port sends
     * the packet, not when the packet arrives. The set {@code local} stays empty in a fabric that applies fault rules only
     * to sent packets.
     */
    private final Set<Gid> local = ConcurrentHashMap.newKeySet();

    /** The links of this fabric, in the order of their first packets. */
    private final List<FaultyLink> links = new CopyOnWriteArrayList<>();

    /**
     * Makes a fabric with faults.
     *
     * @param inner the fabric that transmits the packets
     * @param plan the fault rules that apply as long as the fabric exists
     * @param runtime the scheduler, which creates the random generators and delays packets
     */
    public FaultyFabric(Fabric inner, FaultPlan plan, SimRuntime runtime) {
        this(inner, plan, runtime, false);
    }

    private FaultyFabric(Fabric inner, FaultPlan plan, SimRuntime runtime, boolean judgesReceived) {
        this.judgesReceived = judgesReceived;
        this.runtime = runtime;
        this.fabric = new LinkFabric<>(inner, this::newLink, this::send);
        this.rules = plan.rules();
    }

    /**
     * Makes a fabric with faults for both directions between this process and other processes. The fabric applies the fault
     * rules to sent packets and to packets that arrive from other processes.
     *
     * @param inner the fabric that transmits the packets. Neither {@code inner} nor a fabric that {@code inner} wraps may
     *     be a result of {@code atOneEnd}
     * @param plan the fault rules that apply as long as the fabric exists
     * @param runtime the scheduler, which creates the random generators and delays packets
     * @return a new fabric
     */
    public static FaultyFabric atOneEnd(Fabric inner, FaultPlan plan, SimRuntime runtime) {
        return new FaultyFabric(inner, plan, runtime, true);
    }

    private FaultyLink newLink(String name) {
        FaultyLink link = new FaultyLink(runtime.newRandom("faults " + name));
        links.add(link);
        return link;
    }

    /**
     * Adds a fault rule for all links and all later packets. Added fault rules are applied in the order of their
     * addition, before the fault rules of the {@link FaultPlan}.
     *
     * @param rule the fault rule. For packets of the same link, only one thread at a time calls the fault rule. In
     *     wall-clock time, several threads may call the fault rule concurrently for different links
     * @return an object whose {@code close} removes the fault rule and applies the other fault rules to queued packets
     */
    public Registration add(LinkRule rule) {
        LinkRule added = new Commanded(rule);
        synchronized (this) {
            List<LinkRule> more = new ArrayList<>(rules);
            more.add(commanded++, added);
            rules = List.copyOf(more);
        }
        return () -> remove(added);
    }

    private void remove(LinkRule added) {
        synchronized (this) {
            List<LinkRule> fewer = new ArrayList<>(rules);
            if (!fewer.remove(added)) {
                return;
            }
            commanded--;
            rules = List.copyOf(fewer);
        }
        links.forEach(this::release);
    }

    private void release(FaultyLink link) {
        List<LinkRule> inForce = rules;
        for (FaultyLink.Held held : link.release()) {
            execute(judge(link, held.packet(), inForce, false), link, held.packet(), held.way());
        }
    }

    /**
     * {@return the number of faults of one type, on all links together}
     *
     * @param kind the type of fault
     */
    public long count(FaultKind kind) {
        return counts.get(kind.ordinal());
    }

    @Override
    public FabricPort attach(String name, List<Gid> gids, PacketReceiver receiver) throws VerbsException {
        if (!judgesReceived) {
            return fabric.attach(name, gids, receiver);
        }
        FabricPort port = fabric.attach(name, gids, new JudgingReceiver(name, receiver));
        local.addAll(gids);
        return port;
    }

    /**
     * Applies the fault rules to packets from other processes, but not again to packets that this fabric's ports have sent.
     */
    private final class JudgingReceiver implements PacketReceiver {
        private final String name;
        private final PacketReceiver receiver;
        private final Map<Gid, FaultyLink> bySource = new ConcurrentHashMap<>();

        JudgingReceiver(String name, PacketReceiver receiver) {
            this.name = name;
            this.receiver = receiver;
        }

        @Override
        public void onPacket(SimPacket packet) {
            Gid source = new Gid(packet.sourceHi(), packet.sourceLo());
            if (local.contains(source)) {
                receiver.onPacket(packet);
            } else {
                FaultyLink link = bySource.computeIfAbsent(source, from -> newLink(from + "->" + name));
                List<LinkRule> inForce = rules;
                execute(judge(link, packet, inForce, true), inForce, link, packet, receiver);
            }
        }
    }

    @Override
    public boolean reaches(Gid source, Gid destination) {
        return fabric.reaches(source, destination);
    }

    /** {@return true if a fault rule exists, otherwise the result of the wrapped fabric} Fault rules may read bytes. */
    @Override
    public boolean looksAtBytes() {
        return !rules.isEmpty() || fabric.looksAtBytes();
    }

    /** Returns the action of the fault rules for a packet: DROP if a fault rule throws an exception. */
    private Verdict judge(FaultyLink link, SimPacket packet, List<LinkRule> inForce, boolean first) {
        try {
            return link.judge(packet, inForce, first);
        } catch (Throwable thrown) {
            runtime.failed(thrown);
            return Verdict.DROP;
        }
    }

    private void send(FaultyLink link, SimPacket packet, FabricPort port) {
        List<LinkRule> inForce = rules;
        Verdict verdict = judge(link, packet, inForce, true);
        if (verdict instanceof Verdict.Pass) {
            port.send(packet);
        } else {
            execute(verdict, inForce, link, packet, port::send);
        }
    }

    private void execute(
            Verdict verdict, List<LinkRule> inForce, FaultyLink link, SimPacket packet, PacketReceiver way) {
        execute(verdict, link, packet, way);
        if (verdict instanceof Verdict.Hold && !inForce.equals(rules)) {
            // The fault rules have changed since a fault rule returned `Verdict.HOLD` for this packet. The method
            // `remove` releases only the packets that a link has already queued. If `remove` ran before the link queued
            // `packet`, `packet` would stay queued without this call of `release`.
            release(link);
        }
    }

    private void execute(Verdict verdict, FaultyLink link, SimPacket packet, PacketReceiver way) {
        switch (verdict) {
            case Verdict.Pass pass -> way.onPacket(packet);
            case Verdict.Drop drop -> drop(packet);
            case Verdict.Duplicate duplicate -> duplicate(packet, duplicate.extraCopies(), way);
            case Verdict.Delay delay -> delay(packet, delay.by(), way);
            case Verdict.Corrupt corrupt -> corrupt(packet, corrupt.bit(), way);
            case Verdict.Truncate truncate -> truncate(packet, truncate.bytes(), way);
            case Verdict.Hold hold -> hold(link, packet, way);
        }
    }

    private void hold(FaultyLink link, SimPacket packet, PacketReceiver way) {
        if (link.hold(packet, way)) {
            tally(FaultKind.HOLD);
        } else {
            drop(packet);
        }
    }

    private void truncate(SimPacket packet, int bytes, PacketReceiver way) {
        int left = packet.bthOffset() + bytes;
        if (left >= packet.length()) {
            way.onPacket(packet);
            return;
        }
        tally(FaultKind.TRUNCATE);
        SimPacket copy = packet.copy();
        packet.release();
        copy.truncate(left);
        copy.trusted(false);
        way.onPacket(copy);
    }

    private void drop(SimPacket packet) {
        tally(FaultKind.DROP);
        packet.release();
    }

    private void duplicate(SimPacket packet, int extraCopies, PacketReceiver way) {
        for (int i = 0; i < extraCopies; i++) {
            tally(FaultKind.DUPLICATE);
            way.onPacket(packet.copy());
        }
        way.onPacket(packet);
    }

    private void delay(SimPacket packet, Duration by, PacketReceiver way) {
        tally(FaultKind.DELAY);
        runtime.schedule(by, () -> way.onPacket(packet));
    }

    private void corrupt(SimPacket packet, long bit, PacketReceiver way) {
        tally(FaultKind.CORRUPT);
        SimPacket copy = packet.copy();
        packet.release();
        int transportLength = copy.length() - copy.bthOffset();
        long inverted = Long.remainderUnsigned(bit, (long) transportLength * Byte.SIZE);
        long offset = copy.bthOffset() + inverted / Byte.SIZE;
        int mask = 1 << (inverted % Byte.SIZE);
        copy.segment().set(BYTE, offset, (byte) (copy.segment().get(BYTE, offset) ^ mask));
        copy.trusted(false);
        way.onPacket(copy);
    }

    /**
     * The object that {@link #add} creates for a fault rule. If a program adds the same {@link LinkRule} twice, the
     * program can remove each addition separately.
     */
    private static final class Commanded implements LinkRule {
        private final LinkRule rule;

        Commanded(LinkRule rule) {
            this.rule = rule;
        }

        @Override
        public Verdict judge(LinkPacket packet, RandomGenerator random) {
            return rule.judge(packet, random);
        }
    }

    private void tally(FaultKind kind) {
        counts.incrementAndGet(kind.ordinal());
    }
}
