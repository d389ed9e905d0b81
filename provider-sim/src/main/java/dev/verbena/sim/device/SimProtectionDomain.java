// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.memory.KeyDefect;
import dev.verbena.sim.memory.MemoryTable;
import dev.verbena.sim.memory.MemoryUser;
import dev.verbena.sim.memory.RegisteredWindow;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.MrAdvice;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.MrRange;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.util.List;

final class SimProtectionDomain implements ProtectionDomain, Parent {
    private final SimContext context;
    private final Place place;
    private final Children children;

    SimProtectionDomain(SimContext context, Place place) {
        this.context = context;
        this.place = place;
        children = place.siblings().below();
    }

    @Override
    public Children children() {
        return children;
    }

    @Override
    public Device device() {
        return context;
    }

    @Override
    public MemoryRegion registerMemory(MrInitAttributes attributes) throws VerbsException {
        if (attributes.iova().isEmpty()) {
            return SimMemoryRegion.register(this, children, context.registrar(), attributes, "ibv_reg_mr");
        }
        String verb = "ibv_reg_mr_iova";
        context.require(Capability.IOVA_MR, verb);
        return SimMemoryRegion.register(this, children, context.registrar(), attributes, verb);
    }

    /**
     * Checks keys, rights and bounds. The device accesses memory by virtual addresses, so this method translates no
     * address.
     */
    @Override
    public void adviseMr(MrAdvice advice, boolean flush, List<MrRange> ranges) throws VerbsException {
        String verb = "ibv_advise_mr";
        context.require(Capability.ON_DEMAND_PAGING, verb);
        if (ranges.isEmpty()) {
            throw new VerbsException(Errno.EINVAL, verb, "the advice names no range");
        }
        int access =
                AccessFlag.ON_DEMAND.mask() | (advice == MrAdvice.PREFETCH_WRITE ? AccessFlag.LOCAL_WRITE.mask() : 0);
        MemoryUser user = new MemoryUser(this, 0);
        for (MrRange range : ranges) {
            KeyDefect defect = context.adapter()
                    .memory()
                    .defect(user, false, range.lkey(), access, range.address(), range.length());
            if (defect != KeyDefect.NONE) {
                throw new VerbsException(
                        Errno.EFAULT,
                        verb,
                        advice + " of " + range + " needs " + AccessFlag.ofMask(access) + ", but the lkey "
                                + defect.text());
            }
        }
    }

    @Override
    public MemoryWindow allocateMw(MemoryWindowType type) throws VerbsException {
        String verb = "ibv_alloc_mw";
        switch (type) {
            case TYPE_1 -> context.require(Capability.MW_TYPE_1, verb);
            case TYPE_2 -> {
                if (!context.adapter().profile().capabilities().contains(Capability.MW_TYPE_2A)) {
                    context.require(Capability.MW_TYPE_2B, verb);
                }
            }
        }
        MemoryTable table = context.adapter().memory();
        RegisteredWindow registered = table.allocateWindow(this, type);
        if (registered == null) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    verb,
                    "all " + attributes().maxMw() + " memory windows of " + context.name()
                            + " are in use; deallocate some of them");
        }
        SimMemoryWindow window = new SimMemoryWindow(this, children, table, registered);
        if (!children.add(window)) {
            window.close();
            throw closed(verb);
        }
        return window;
    }

    @Override
    public QueuePair createQp(QpInitAttributes attributes) throws VerbsException {
        String verb = "ibv_create_qp";
        context.require(capabilityOf(attributes.type()), verb);
        SimCompletionQueue sendCq = own(attributes.sendCq(), "sendCq");
        SimCompletionQueue receiveCq = own(attributes.receiveCq(), "receiveCq");
        QpCapabilities asked = attributes.capabilities();
        checkLimit(verb, "maxSendWr", asked.maxSendWr(), attributes().maxQpWr());
        checkLimit(verb, "maxSendSge", asked.maxSendSge(), attributes().maxSge());
        checkLimit(verb, "maxInlineData", asked.maxInlineData(), attributes().maxInlineData());
        SimSharedReceiveQueue srq = null;
        if (attributes.srq() == null) {
            checkLimit(verb, "maxReceiveWr", asked.maxReceiveWr(), attributes().maxQpWr());
            checkLimit(
                    verb, "maxReceiveSge", asked.maxReceiveSge(), attributes().maxSge());
        } else {
            srq = own(attributes.srq());
        }
        SimQueuePair queuePair = context.queuePairs()
                .add(number -> new SimQueuePair(
                        this, children, context.events(), context.adapter(), context.queuePairs(), number, attributes));
        if (queuePair == null) {
            throw Quota.exhausted(verb, attributes().maxQp(), "queue pairs");
        }
        if (!children.add(queuePair)
                || (srq != null && !srq.users().add(queuePair))
                || !sendCq.users().add(queuePair)
                || (sendCq != receiveCq && !receiveCq.users().add(queuePair))) {
            queuePair.close();
            throw closed(verb);
        }
        return queuePair;
    }

    private static Capability capabilityOf(QpType type) {
        return switch (type) {
            case RC -> Capability.RC;
            case UC -> Capability.UC;
            case UD -> Capability.UD;
        };
    }

    private SimCompletionQueue own(CompletionQueue queue, String name) throws VerbsException {
        if (queue instanceof SimCompletionQueue own && own.isOf(context)) {
            return own;
        }
        throw new VerbsException(
                Errno.EINVAL, "ibv_create_qp", name + " is not a completion queue of device " + context.name());
    }

    private SimSharedReceiveQueue own(SharedReceiveQueue queue) throws VerbsException {
        if (queue instanceof SimSharedReceiveQueue own && own.protectionDomain() == this) {
            return own;
        }
        throw new VerbsException(
                Errno.EINVAL,
                "ibv_create_qp",
                "srq belongs to another protection domain; create it in the protection domain of the queue pair");
    }

    private static void checkLimit(String verb, String name, int asked, int limit) throws VerbsException {
        if (asked > limit) {
            throw new VerbsException(Errno.EINVAL, verb, name + " " + asked + " is above the device's limit " + limit);
        }
    }

    private DeviceAttributes attributes() {
        return context.attributes();
    }

    private VerbsException closed(String verb) {
        return new VerbsException(
                Errno.EINVAL, verb, "the protection domain, or an object passed to the call, is closed");
    }

    @Override
    public SharedReceiveQueue createSrq(SrqInitAttributes attributes) throws VerbsException {
        String verb = "ibv_create_srq";
        context.require(Capability.SRQ, verb);
        checkLimit(verb, "maxWr", attributes.maxWr(), attributes().maxSrqWr());
        checkLimit(verb, "maxSge", attributes.maxSge(), attributes().maxSrqSge());
        Place at = Place.take(children, context.adapter().quotas().sharedReceiveQueues(), verb);
        SimSharedReceiveQueue queue = new SimSharedReceiveQueue(
                this, at, context.events(), context.adapter().profile().maxMessageSize(), attributes);
        if (!at.add(queue)) {
            throw closed(verb);
        }
        return queue;
    }

    @Override
    public AddressHandle createAh(AddressVector vector) throws VerbsException {
        String verb = "ibv_create_ah";
        context.require(Capability.UD, verb);
        return newAddressHandle(vector, verb);
    }

    @Override
    public AddressHandle createAh(int port, WorkCompletion completion, MemorySegment grh) throws VerbsException {
        String verb = "ibv_create_ah_from_wc";
        context.require(Capability.AH_FROM_COMPLETION, verb);
        AddressVector reply =
                context.adapter().port().addressVectors().replyTo(port, completion, grh, verb, toString());
        return newAddressHandle(reply, verb);
    }

    private AddressHandle newAddressHandle(AddressVector vector, String verb) throws VerbsException {
        Gid source = context.adapter().port().addressVectors().sourceOf(vector, verb, toString());
        Place at = Place.take(children, context.adapter().quotas().addressHandles(), verb);
        SimAddressHandle handle = new SimAddressHandle(this, at, vector, source);
        if (!at.add(handle)) {
            throw closed(verb);
        }
        return handle;
    }

    @Override
    public void close() throws VerbsException {
        if (children.close("ibv_dealloc_pd", this)) {
            place.remove(this);
        }
    }

    @Override
    public String toString() {
        return "PD of " + context.name();
    }
}
