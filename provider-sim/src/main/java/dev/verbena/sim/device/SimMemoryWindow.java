// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.memory.MemoryTable;
import dev.verbena.sim.memory.RegisteredWindow;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.RemoteKey;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

final class SimMemoryWindow implements MemoryWindow {
    private final ProtectionDomain domain;
    private final Children siblings;
    private final MemoryTable table;
    private final RegisteredWindow registered;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** The R_Key of the last posted bind, which {@link #rkey()} returns for a window of type 1. */
    private final AtomicInteger postedKey;

    SimMemoryWindow(ProtectionDomain domain, Children siblings, MemoryTable table, RegisteredWindow registered) {
        this.domain = domain;
        this.siblings = siblings;
        this.table = table;
        this.registered = registered;
        postedKey = new AtomicInteger(registered.key());
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public MemoryWindowType type() {
        return registered.type();
    }

    @Override
    public int rkey() {
        return type() == MemoryWindowType.TYPE_1 ? postedKey.get() : registered.key();
    }

    int nextKey() {
        return postedKey.updateAndGet(RemoteKey::increment);
    }

    /** Restores the memory window's former R_Key, after {@code postSend} has refused the BIND_MW with the new R_Key. */
    void takeBack(int key, int former) {
        postedKey.compareAndSet(key, former);
    }

    boolean isClosed() {
        return closed.get();
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            table.deallocate(registered);
            siblings.remove(this);
        }
    }

    @Override
    public String toString() {
        return "MW 0x" + Integer.toHexString(rkey());
    }
}
