// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The queue pair of an rdma_cm ID, created by the ID and closed by the user. */
final class IdQueuePair {
    private static final String CREATE = "rdma_create_qp";

    private final CmLock lock;
    private final IdLife life;
    private final IdAddress address;
    private @Nullable QueuePair queuePair;

    IdQueuePair(CmLock lock, IdLife life, IdAddress address) {
        this.lock = lock;
        this.life = life;
        this.address = address;
    }

    Optional<QueuePair> open() {
        QueuePair present = queuePair;
        if (present != null
                && address.agent()
                        .filter(agent -> agent.device().isOpen(present))
                        .isEmpty()) {
            queuePair = null;
        }
        return Optional.ofNullable(queuePair);
    }

    /**
     * Creates a queue pair in state INIT. Fails with EINVAL if the port space does not allow the type of the queue
     * pair. Call only without the lock.
     */
    QueuePair create(ProtectionDomain domain, QpInitAttributes attributes, Set<QpType> possible) throws VerbsException {
        lock.run(() -> requireRoom(domain));
        if (!possible.contains(attributes.type())) {
            throw new VerbsException(
                    Errno.EINVAL,
                    CREATE,
                    life.id() + " of port space " + life.id().portSpace() + " supports queue pairs of type " + possible
                            + ", not " + attributes.type());
        }
        QueuePair made = domain.createQp(attributes);
        try {
            QpDriver.prepare(made);
            lock.run(() -> {
                requireRoom(domain);
                queuePair = made;
            });
        } catch (VerbsException | RuntimeException | Error e) {
            try {
                made.close();
            } catch (VerbsException | RuntimeException refused) {
                e.addSuppressed(refused);
            }
            throw e;
        }
        return made;
    }

    private void requireRoom(ProtectionDomain domain) throws VerbsException {
        CmAgent agent = address.requireAgent(CREATE);
        if (!domain.device().equals(agent.device().context())) {
            throw new VerbsException(
                    Errno.EINVAL,
                    CREATE,
                    "the protection domain belongs to another Device; allocate it from the id's device()");
        }
        if (open().isPresent()) {
            throw new VerbsException(Errno.EINVAL, CREATE, life.id() + " already has a queue pair; close that first");
        }
    }
}
