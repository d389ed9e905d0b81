// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.VerbsException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair whose methods for queries, type 1 memory windows and multicast throw {@link CapabilityException}.
 * Thread-safe.
 *
 * @since 1.0
 */
public abstract class AbstractQueuePair implements QueuePair {
    private final ProtectionDomain domain;
    private final int number;
    private final QpInitAttributes attributes;

    /**
     * Creates a queue pair.
     *
     * @param domain the protection domain of the queue pair
     * @param number the QPN, 24 bits
     * @param attributes the attributes of the queue pair
     */
    protected AbstractQueuePair(ProtectionDomain domain, int number, QpInitAttributes attributes) {
        this.domain = domain;
        this.number = number;
        this.attributes = attributes;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QpType type() {
        return attributes.type();
    }

    @Override
    public QpCapabilities capabilities() {
        return attributes.capabilities();
    }

    @Override
    public CompletionQueue sendCq() {
        return attributes.sendCq();
    }

    @Override
    public CompletionQueue receiveCq() {
        return attributes.receiveCq();
    }

    @Override
    public Optional<SharedReceiveQueue> srq() {
        return Optional.ofNullable(attributes.srq());
    }

    @Override
    public @Nullable Object context() {
        return attributes.context();
    }

    /** {@return {@link QpInitAttributes#signalAll()}: whether unsignaled sends also produce a completion} */
    protected boolean signalsAll() {
        return attributes.signalAll();
    }

    @Override
    public QpAttributes query() throws VerbsException {
        throw lacks(Capability.QP_QUERY, "ibv_query_qp");
    }

    @Override
    public void bindMemoryWindow(MemoryWindow window, MemoryWindowBinding binding, long workRequestId)
            throws VerbsException {
        throw lacks(Capability.MW_TYPE_1, "ibv_bind_mw");
    }

    @Override
    public void attachMulticast(Gid group, int lid) throws VerbsException {
        throw lacks(Capability.UD_MULTICAST, "ibv_attach_mcast");
    }

    @Override
    public void detachMulticast(Gid group, int lid) throws VerbsException {
        throw lacks(Capability.UD_MULTICAST, "ibv_detach_mcast");
    }

    private CapabilityException lacks(Capability capability, String verb) {
        return new CapabilityException(
                capability, verb, protectionDomain().device().name());
    }
}
