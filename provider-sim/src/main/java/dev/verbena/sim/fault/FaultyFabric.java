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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.random.RandomGenerator;

/**
 * A fabric on which packets meet with faults. Every packet is judged when it is sent, by the rules of its directed
 * link; each link draws from a random stream of its own, made from the runtime's seed and the name of the link, so that
 * traffic on one link does not change the faults on another. What a link does to its packets is done before the inner
 * fabric sees them. A packet to a multicast group has one link, from its sender to the group, and so one verdict for all
 * members.
 *
 * <p>Packets that no fault befalls are passed on without copying or allocating.
 */
public final class FaultyFabric implements Fabric {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private final SimRuntime runtime;
    private final LinkFabric<FaultyLink> fabric;
    private final AtomicLongArray counts = new AtomicLongArray(FaultKind.values().length);

    /** The rules in force, replaced as a whole; commanded ones first. */
    private volatile List<LinkRule> rules;

    private int commanded;

    /** In the order of their first packets. */
    private final List<FaultyLink> links = new CopyOnWriteArrayList<>();

    /**
     * Makes a fabric with faults.
     *
     * @param inner what carries the packets
     * @param plan the rules that are in force all the time
     * @param runtime where chance and delays come from
     */
    public FaultyFabric(Fabric inner, FaultPlan plan, SimRuntime runtime) {
        this.runtime = runtime;
        this.fabric = new LinkFabric<>(inner, this::newLink, this::send);
        this.rules = plan.rules();
    }

    private FaultyLink newLink(String name) {
        FaultyLink link = new FaultyLink(runtime.newRandom("faults " + name));
        links.add(link);
        return link;
    }

    /**
     * Commands a rule for all links, from now on. Commanded rules are asked before those of the plan, in the order in
     * which they were added.
     *
     * @param rule the rule; asked by one thread at a time for each link, but for several links at once under wall time
     * @return ends the rule; packets that wait are then judged again
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
            carryOut(link.judge(held.packet(), inForce, false), link, held.packet(), held.port());
        }
    }

    /**
     * Counts faults.
     *
     * @param kind which
     * @return how often it happened, on all links together
     */
    public long count(FaultKind kind) {
        return counts.get(kind.ordinal());
    }

    @Override
    public FabricPort attach(String name, List<Gid> gids, PacketReceiver receiver) throws VerbsException {
        return fabric.attach(name, gids, receiver);
    }

    @Override
    public boolean reaches(Gid gid) {
        return fabric.reaches(gid);
    }

    /** Returns true while there are rules, since they may look; otherwise what the inner fabric says. */
    @Override
    public boolean looksAtBytes() {
        return !rules.isEmpty() || fabric.looksAtBytes();
    }

    private void send(FaultyLink link, SimPacket packet, FabricPort port) {
        List<LinkRule> inForce = rules;
        Verdict verdict = link.judge(packet, inForce);
        carryOut(verdict, link, packet, port);
        if (verdict instanceof Verdict.Hold && !inForce.equals(rules)) {
            // The rule was ended while the packet was judged, and nobody else will release it.
            release(link);
        }
    }

    private void carryOut(Verdict verdict, FaultyLink link, SimPacket packet, FabricPort port) {
        switch (verdict) {
            case Verdict.Pass pass -> port.send(packet);
            case Verdict.Drop drop -> drop(packet);
            case Verdict.Duplicate duplicate -> duplicate(packet, duplicate.extraCopies(), port);
            case Verdict.Delay delay -> delay(packet, delay.by(), port);
            case Verdict.Corrupt corrupt -> corrupt(packet, corrupt.bit(), port);
            case Verdict.Truncate truncate -> truncate(packet, truncate.bytes(), port);
            case Verdict.Hold hold -> hold(link, packet, port);
        }
    }

    private void hold(FaultyLink link, SimPacket packet, FabricPort port) {
        if (link.hold(packet, port)) {
            tally(FaultKind.HOLD);
        } else {
            drop(packet);
        }
    }

    private void truncate(SimPacket packet, int bytes, FabricPort port) {
        int left = packet.bthOffset() + bytes;
        if (left >= packet.length()) {
            port.send(packet);
            return;
        }
        tally(FaultKind.TRUNCATE);
        SimPacket copy = packet.copy();
        packet.release();
        copy.truncate(left);
        copy.trusted(false);
        port.send(copy);
    }

    private void drop(SimPacket packet) {
        tally(FaultKind.DROP);
        packet.release();
    }

    private void duplicate(SimPacket packet, int extraCopies, FabricPort port) {
        for (int i = 0; i < extraCopies; i++) {
            tally(FaultKind.DUPLICATE);
            port.send(packet.copy());
        }
        port.send(packet);
    }

    private void delay(SimPacket packet, Duration by, FabricPort port) {
        tally(FaultKind.DELAY);
        runtime.schedule(by, () -> port.send(packet));
    }

    private void corrupt(SimPacket packet, long bit, FabricPort port) {
        tally(FaultKind.CORRUPT);
        SimPacket copy = packet.copy();
        packet.release();
        int transportLength = copy.length() - copy.bthOffset();
        long inverted = Long.remainderUnsigned(bit, (long) transportLength * Byte.SIZE);
        long offset = copy.bthOffset() + inverted / Byte.SIZE;
        int mask = 1 << (inverted % Byte.SIZE);
        copy.segment().set(BYTE, offset, (byte) (copy.segment().get(BYTE, offset) ^ mask));
        copy.trusted(false);
        port.send(copy);
    }

    /** A rule that equals no other, not even one around the same object. */
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
