// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import dev.verbena.fault.FaultPlan;
import dev.verbena.sim.capture.CompositeTap;
import dev.verbena.sim.capture.PacketTap;
import dev.verbena.sim.capture.TappedFabric;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Three devices: two with reliable and unreliable connections between them, and datagram queue pairs on all. */
final class World {
    /** The Q_Key of all datagram queue pairs. */
    static final int QKEY = 0x1234;

    private static final List<String> ADDRESSES = List.of("192.0.2.1", "192.0.2.2", "192.0.2.3");
    private static final String GROUP = "239.1.2.3";
    private static final int PSN_STRIDE = 0x1F_3579;

    private final Setting setting;
    private final VirtualRuntime runtime;
    private final Lab lab;
    private final Wire wire;
    private final FaultRule faults;
    private final List<Host> hosts = new ArrayList<>();
    private final List<End> ends = new ArrayList<>();
    private final List<AddressHandle> handles = new ArrayList<>();
    private final Gid group = Gid.parse(GROUP);
    private InProcessFabric fabric;
    private int connections;

    World(Program program, boolean traced, Function<SimRuntime, PacketTap> onlooker) throws VerbsException {
        setting = program.setting();
        runtime = new VirtualRuntime(program.seed());
        NativeAddresses addresses = new NativeAddresses();
        wire = new Wire(setting, addresses, traced);
        faults = new FaultRule(ADDRESSES.stream().map(Gid::parse).toList(), program.faults());
        PacketTap tap = new CompositeTap(List.of(wire, onlooker.apply(runtime)));
        lab = new Lab(runtime, inner -> decorate(inner, tap));
        for (int i = 0; i < ADDRESSES.size(); i++) {
            hosts.add(new Host(lab, i, ADDRESSES.get(i), setting));
            addresses.add(hosts.get(i));
        }
        pair(QpType.RC, false);
        pair(QpType.RC, (setting.sharedReceives() & 1) != 0);
        if (hosts.getFirst().can(Capability.UC)) {
            pair(QpType.UC, (setting.sharedReceives() & 2) != 0);
        }
        if (hosts.getFirst().can(Capability.UD)) {
            for (int i = 0; i < hosts.size(); i++) {
                datagrams(i);
            }
        }
    }

    private Fabric decorate(Fabric inner, PacketTap tap) {
        fabric = (InProcessFabric) inner;
        FaultyFabric faulty =
                new FaultyFabric(inner, FaultPlan.builder().rule(faults).build(), runtime);
        return new TappedFabric(faulty, runtime, tap);
    }

    private void pair(QpType type, boolean shared) throws VerbsException {
        String name = type + " " + ends.size() / 2;
        End left = new End(hosts.get(0), name + " left", type, setting, shared);
        End right = new End(hosts.get(1), name + " right", type, setting, shared);
        left.pairWith(right);
        right.pairWith(left);
        ends.add(left);
        ends.add(right);
        connect(left);
    }

    private void datagrams(int host) throws VerbsException {
        End end = new End(hosts.get(host), "UD " + host, QpType.UD, setting, (setting.sharedReceives() & 4) != 0);
        ends.add(end);
        connect(end);
        if (hosts.get(host).can(Capability.UD_MULTICAST)) {
            end.qp().attachMulticast(group, 0);
        }
    }

    /** Moves a queue pair, and its peer if it has one, from RESET to RTS. */
    void connect(End end) throws VerbsException {
        connections++;
        List<End> sides = end.isConnected() ? List.of(end, end.peer()) : List.of(end);
        for (End side : sides) {
            side.forget();
            wire.forget(side);
            side.firstPsn = (setting.firstPsn() + PSN_STRIDE * connections++) & Psn.MAX_VALUE;
            side.faultsBefore = faults.hits();
            Host host = side.host();
            side.grants.add(grant(Grant.Kind.REGION, side.region()));
            side.grants.add(grant(Grant.Kind.SOURCE, host.source()));
            side.grants.add(grant(Grant.Kind.COUNTER, host.counter()));
        }
        for (End side : sides) {
            modify(side);
        }
    }

    private static Grant grant(Grant.Kind kind, MemoryRegion region) {
        int offset = (int) (region.address() - Host.address(0));
        return new Grant(kind, region.rkey(), offset, (int) region.length(), region.access(), 0, true);
    }

    private void modify(End end) throws VerbsException {
        QpAttributesBuilder toInit =
                QpAttributes.builder().state(QpState.INIT).port(1).pkeyIndex(0);
        QpAttributesBuilder toRtr = QpAttributes.builder().state(QpState.RTR);
        QpAttributesBuilder toRts = QpAttributes.builder().state(QpState.RTS).sqPsn(Psn.of(end.firstPsn));
        if (end.isConnected()) {
            toInit.access(access(end));
            toRtr.addressVector(AddressVector.toGid(end.peer().host().node().address(), 1))
                    .pathMtu(setting.mtu())
                    .destinationQpn(end.peer().number())
                    .rqPsn(Psn.of(end.peer().firstPsn));
        } else {
            toInit.qkey(QKEY);
        }
        if (end.type() == QpType.RC) {
            toRtr.maxDestRdAtomic(setting.readDepth()).minRnrTimer(RnrTimer.ofCode(12));
            toRts.ackTimeout(AckTimeout.ofCode(10))
                    .retryCount(setting.retries())
                    .rnrRetryCount(
                            setting.rnrForever() ? RnrRetryCount.FOREVER : RnrRetryCount.of(setting.rnrRetries()))
                    .maxRdAtomic(setting.readDepth());
        }
        end.qp().modify(toInit.build());
        end.qp().modify(toRtr.build());
        end.qp().modify(toRts.build());
    }

    /** Returns the rights of the peer of a queue pair. */
    Set<AccessFlag> access(End end) {
        Set<AccessFlag> access = EnumSet.noneOf(AccessFlag.class);
        access.add(AccessFlag.REMOTE_WRITE);
        if (end.type() == QpType.RC && !(setting.guarded() && ends.indexOf(end) == 3)) {
            access.addAll(end.rights());
            access.remove(AccessFlag.LOCAL_WRITE);
            access.remove(AccessFlag.MW_BIND);
        }
        return access;
    }

    /** Returns an address handle from one device to another, or to the group. */
    AddressHandle handle(Host from, Gid to) throws VerbsException {
        AddressHandle handle = from.node().domain().createAh(AddressVector.toGid(to, 1));
        handles.add(handle);
        return handle;
    }

    Gid group() {
        return group;
    }

    Setting setting() {
        return setting;
    }

    VirtualRuntime runtime() {
        return runtime;
    }

    Lab lab() {
        return lab;
    }

    Wire wire() {
        return wire;
    }

    FaultRule faults() {
        return faults;
    }

    List<Host> hosts() {
        return hosts;
    }

    List<End> ends() {
        return ends;
    }

    /** Closes all objects. An object that cannot be closed shows a leak, and so does a packet that was not released. */
    void close() throws VerbsException {
        for (End end : ends) {
            if (end.type() == QpType.UD && end.host().can(Capability.UD_MULTICAST)) {
                end.qp().detachMulticast(group, 0);
            }
            end.qp().close();
            end.region().close();
        }
        for (AddressHandle handle : handles) {
            handle.close();
        }
        for (Host host : hosts) {
            host.close();
        }
        if (fabric.packetsInUse() != 0) {
            throw new AssertionError(fabric.packetsInUse() + " packets were never released");
        }
        lab.close();
    }
}
