// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.queue.SharedReceives;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqAttributes;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

final class SimSharedReceiveQueue implements SharedReceiveQueue {
    private static final String MODIFY = "ibv_modify_srq";

    private final ProtectionDomain domain;
    private final Place place;
    private final SimAsyncEvents events;
    private final long maxMessageSize;
    private final SharedReceives receives;
    private final int maxEntries;
    private final @Nullable Object attachment;
    private final @Nullable AsyncEventHandler eventHandler;
    private final Children users = new Children();
    private final SimRequests.Taker<SimReceiveRequests> taker = this::take;

    SimSharedReceiveQueue(
            ProtectionDomain domain,
            Place place,
            SimAsyncEvents events,
            long maxMessageSize,
            SrqInitAttributes attributes) {
        this.domain = domain;
        this.place = place;
        this.events = events;
        this.maxMessageSize = maxMessageSize;
        maxEntries = Math.max(1, attributes.maxSge());
        attachment = attributes.context();
        eventHandler = attributes.eventHandler();
        receives =
                new SharedReceives(attributes.maxWr(), SimReceiveRequests.entrySize(maxEntries), this::onLimitReached);
        receives.arm(attributes.limit());
    }

    private void onLimitReached() {
        events.raise(AsyncEvent.ofSrq(AsyncEventType.SRQ_LIMIT_REACHED, this), eventHandler);
    }

    Children users() {
        return users;
    }

    SharedReceives receives() {
        return receives;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public @Nullable Object context() {
        return attachment;
    }

    @Override
    public ReceiveRequests newReceiveRequests(int count) {
        return new SimReceiveRequests(this, domain.device(), maxMessageSize, count, maxEntries);
    }

    @Override
    public int postReceive(ReceiveRequests requests, int first, int count) {
        if (!(requests instanceof SimReceiveRequests batch)) {
            throw SimRequests.foreign(this);
        }
        batch.checkOwner(this);
        WorkQueue queue = receives.queue();
        queue.lockProducer();
        try {
            return batch.post(taker, first, count);
        } finally {
            queue.unlockProducer();
        }
    }

    private PostRefusal take(SimReceiveRequests batch, int index) {
        return users.isClosed() ? PostRefusal.CLOSED : batch.postTo(receives.queue(), index);
    }

    @Override
    public void armLimit(int limit) throws VerbsException {
        checkOpen(MODIFY);
        if (limit < 0 || !receives.arm(limit)) {
            throw new VerbsException(
                    Errno.EINVAL, MODIFY, "limit " + limit + " is not in 0.." + receives.capacity() + " of " + this);
        }
    }

    @Override
    public void resize(int maxWr) throws VerbsException {
        checkOpen(MODIFY);
        domain.device().require(Capability.SRQ_RESIZE, MODIFY);
        int most = domain.device().attributes().maxSrqWr();
        if (maxWr < 1 || maxWr > most) {
            throw new VerbsException(Errno.EINVAL, MODIFY, "maxWr " + maxWr + " is not in 1.." + most);
        }
        if (!receives.resize(maxWr)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    MODIFY,
                    "maxWr " + maxWr + " is below the number of posted receives or the armed limit: " + receives
                            + "; choose a larger one, or lower the limit");
        }
    }

    @Override
    public SrqAttributes query() {
        checkOpen("ibv_query_srq");
        return receives.attributes(maxEntries);
    }

    private void checkOpen(String verb) {
        if (users.isClosed()) {
            throw new IllegalStateException(verb + ": " + this + " is closed");
        }
    }

    @Override
    public void close() throws VerbsException {
        if (users.close("ibv_destroy_srq", this)) {
            events.forget(this);
            place.remove(this);
        }
    }

    @Override
    public String toString() {
        return "SRQ of " + receives.capacity() + " receives on "
                + domain.device().name();
    }
}
