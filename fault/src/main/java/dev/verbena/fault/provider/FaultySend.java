// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.FlushPlacement;
import dev.verbena.verbs.FlushTarget;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.SendWorkRequest;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/** Wraps a send request, unwraps the proxies in its arguments, and records the capabilities that the request needs. */
final class FaultySend implements SendWorkRequest {
    private final SendWorkRequest real;
    private final Set<Capability> needs = EnumSet.noneOf(Capability.class);

    FaultySend(SendWorkRequest real) {
        this.real = real;
    }

    SendWorkRequest real() {
        return real;
    }

    /** Records that this send request is now a REG_MR, which needs the capability FAST_REGISTRATION. */
    FaultySend registers() {
        return chosen(Capability.FAST_REGISTRATION);
    }

    Set<Capability> needs() {
        return needs;
    }

    /** Replaces the list of capabilities that this request needs, because its opcode has changed. */
    private FaultySend chosen(Capability... needed) {
        needs.clear();
        needs.addAll(Set.of(needed));
        return this;
    }

    @Override
    public SendWorkRequest send() {
        real.send();
        return chosen();
    }

    @Override
    public SendWorkRequest sendWithImmediate(int immediateData) {
        real.sendWithImmediate(immediateData);
        return chosen(Capability.IMMEDIATE_DATA);
    }

    @Override
    public SendWorkRequest sendWithInvalidate(int rkey) {
        real.sendWithInvalidate(rkey);
        return chosen(Capability.SEND_WITH_INV);
    }

    @Override
    public SendWorkRequest rdmaWrite(long remoteAddress, int rkey) {
        real.rdmaWrite(remoteAddress, rkey);
        return chosen();
    }

    @Override
    public SendWorkRequest rdmaWriteWithImmediate(long remoteAddress, int rkey, int immediateData) {
        real.rdmaWriteWithImmediate(remoteAddress, rkey, immediateData);
        return chosen(Capability.IMMEDIATE_DATA);
    }

    @Override
    public SendWorkRequest rdmaRead(long remoteAddress, int rkey) {
        real.rdmaRead(remoteAddress, rkey);
        return chosen(Capability.RDMA_READ);
    }

    @Override
    public SendWorkRequest compareAndSwap(long remoteAddress, int rkey, long compare, long swap) {
        real.compareAndSwap(remoteAddress, rkey, compare, swap);
        return chosen(Capability.ATOMICS);
    }

    @Override
    public SendWorkRequest fetchAndAdd(long remoteAddress, int rkey, long add) {
        real.fetchAndAdd(remoteAddress, rkey, add);
        return chosen(Capability.ATOMICS);
    }

    @Override
    public SendWorkRequest atomicWrite(long remoteAddress, int rkey) {
        real.atomicWrite(remoteAddress, rkey);
        return chosen(Capability.ATOMIC_WRITE);
    }

    @Override
    public SendWorkRequest flush(
            long remoteAddress, int rkey, long length, FlushTarget target, FlushPlacement placement) {
        real.flush(remoteAddress, rkey, length, target, placement);
        return chosen(Capability.FLUSH);
    }

    @Override
    public SendWorkRequest bindMemoryWindow(MemoryWindow window, int newRkey, MemoryWindowBinding binding) {
        real.bindMemoryWindow(FaultyObjects.real(MemoryWindow.class, window), newRkey, FaultyObjects.real(binding));
        return chosen();
    }

    @Override
    public SendWorkRequest localInvalidate(int rkey) {
        real.localInvalidate(rkey);
        return chosen();
    }

    @Override
    public SendWorkRequest id(long workRequestId) {
        real.id(workRequestId);
        return this;
    }

    @Override
    public SendWorkRequest signaled() {
        real.signaled();
        return this;
    }

    @Override
    public SendWorkRequest solicited() {
        real.solicited();
        return this;
    }

    @Override
    public SendWorkRequest fence() {
        real.fence();
        return this;
    }

    @Override
    public SendWorkRequest inline() {
        real.inline();
        needs.add(Capability.INLINE_DATA);
        return this;
    }

    @Override
    public SendWorkRequest inlineData(MemorySegment data) {
        real.inlineData(data);
        needs.add(Capability.INLINE_DATA);
        return this;
    }

    @Override
    public SendWorkRequest sge(MemoryRegion region, long offset, long length) {
        real.sge(FaultyObjects.real(MemoryRegion.class, region), offset, length);
        return this;
    }

    @Override
    public SendWorkRequest sge(long address, long length, int lkey) {
        real.sge(address, length, lkey);
        return this;
    }

    @Override
    public SendWorkRequest to(AddressHandle handle, int remoteQpn, int remoteQkey) {
        real.to(FaultyObjects.real(AddressHandle.class, handle), remoteQpn, remoteQkey);
        return this;
    }
}
