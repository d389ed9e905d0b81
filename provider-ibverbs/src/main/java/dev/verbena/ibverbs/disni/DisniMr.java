// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.SVCDeregMr;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.spi.AbstractMemoryRegion;
import dev.verbena.spi.RegistrableMemory;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A memory region of DiSNI. */
final class DisniMr extends AbstractMemoryRegion {
    /**
     * The registered memory regions. This set keeps registered memory reachable, because the garbage collector could free
     * unreachable memory with {@code MemoryLifetime.REACHABLE}.
     */
    private static final Set<DisniMr> OPEN = ConcurrentHashMap.newKeySet();

    private final DisniContext context;
    private final Dependents siblings;
    private final IbvMr mr;
    private final RegistrableMemory memory;
    private final int lkey;
    private final int rkey;
    private final UseGuard guard;

    /**
     * Creates the Java object for a registered memory region. The argument {@code siblings} lists the objects that must be
     * closed before the protection domain.
     */
    DisniMr(
            ProtectionDomain domain,
            DisniContext context,
            Dependents siblings,
            IbvMr mr,
            RegistrableMemory memory,
            MrInitAttributes attributes) {
        super(domain, attributes);
        this.context = context;
        this.siblings = siblings;
        this.mr = mr;
        this.memory = memory;
        lkey = mr.getLkey();
        rkey = mr.getRkey();
        guard = new UseGuard("memory region 0x" + Integer.toHexString(lkey));
        OPEN.add(this);
    }

    static void deregister(DisniLibrary library, IbvMr mr, String name) throws VerbsException {
        DisniLibrary.perform("ibv_dereg_mr", "closing the " + name, () -> {
            SVCDeregMr call = library.verbs().deregMr(mr);
            try {
                call.execute();
            } finally {
                call.free();
            }
        });
    }

    DisniContext context() {
        return context;
    }

    @Override
    public int lkey() {
        return lkey;
    }

    @Override
    public int rkey() {
        return rkey;
    }

    boolean isMemoryClosed() {
        return memory.isClosed();
    }

    UseGuard guard() {
        return guard;
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = guard.end(() -> deregister(context.library(), mr, toString()));
        if (closedNow) {
            memory.release(this);
            siblings.remove(this);
            OPEN.remove(this);
            memory.requireOutlived(this, "ibv_dereg_mr");
        }
    }

    @Override
    public String toString() {
        return guard.toString();
    }
}
