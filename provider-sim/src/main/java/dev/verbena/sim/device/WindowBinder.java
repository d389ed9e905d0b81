// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;

/** Binds windows of type 1: posts a signaled BIND_MW with the window's next key, as {@code ibv_bind_mw} does. */
final class WindowBinder {
    private static final String VERB = "ibv_bind_mw";

    private WindowBinder() {}

    static void bind(
            QueuePair queuePair,
            SimSendRequests batch,
            MemoryWindow window,
            MemoryWindowBinding binding,
            long workRequestId)
            throws VerbsException {
        if (!(window instanceof SimMemoryWindow own)
                || own.isClosed()
                || !own.protectionDomain().equals(queuePair.protectionDomain())) {
            throw refuse(window + " is not an open window of the domain of " + queuePair);
        }
        if (own.type() != MemoryWindowType.TYPE_1) {
            throw refuse(own + " is of type 2; bind it by a posted request (SendWorkRequest.bindMemoryWindow)");
        }
        if (!own.protectionDomain().equals(binding.region().protectionDomain())) {
            throw refuse(binding.region() + " is not of the domain of " + own);
        }
        if (!binding.region().access().contains(AccessFlag.MW_BIND)) {
            throw refuse(binding.region() + " was registered without MW_BIND; add it");
        }
        int former = own.rkey();
        int next = own.nextKey();
        batch.request(0).bindAny(own, next, binding).id(workRequestId).signaled();
        if (queuePair.postSend(batch, 1) == 0) {
            own.takeBack(next, former);
            PostRefusal refusal = batch.refusal();
            throw new VerbsException(
                    refusal == PostRefusal.QUEUE_FULL ? Errno.ENOMEM : refusal.errno(),
                    VERB,
                    "the bind of " + own + " was not posted: " + refusal.explanation());
        }
    }

    private static VerbsException refuse(String why) {
        return new VerbsException(Errno.EINVAL, VERB, why);
    }
}
