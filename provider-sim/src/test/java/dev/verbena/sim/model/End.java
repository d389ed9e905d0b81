// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A queue pair with all requests and completions since it was connected, and the memory that its peer may change. */
final class End {
    private static final int ENTRIES = 4;
    private static final int PATIENCE = 2;
    private static final int RECEIVE_DEPTH = 127;

    private final String name;
    private final Host host;
    private final boolean usesSrq;
    private final QueuePair qp;
    private final MemoryRange target;
    private final MemoryRegion region;
    private final SendRequests sendBatch;
    private final ReceiveRequests receiveBatch;
    private @Nullable End peer;
    private int postsInVain;

    /** The requests and completions since the last connection. */
    final List<Request> requests = new ArrayList<>();

    final List<Slot> slots = new ArrayList<>();
    final List<PolledCompletion> sent = new ArrayList<>();
    final List<PolledCompletion> received = new ArrayList<>();

    /** The keys to memory of this side that its peer had since then. */
    final List<Grant> grants = new ArrayList<>();

    /** Whether all requests that began before the queue pair moved to SQD have ended. */
    boolean drained;

    /** Whether the program itself moved the queue pair to ERR. */
    boolean killed;

    /** The first requests after each return of the queue pair from SQE to RTS. */
    final Set<Integer> resumes = new HashSet<>();

    int firstPsn;

    /** The number of link faults and of datagrams without a receive when the queue pair was connected. */
    int faultsBefore;

    End(Host host, String name, QpType type, Setting setting, boolean usesSrq) throws VerbsException {
        this.name = name;
        this.host = host;
        this.usesSrq = usesSrq && host.srq() != null;
        qp = host.node()
                .domain()
                .createQp(QpInitAttributes.builder()
                        .type(type)
                        .sendCq(host.sendCq())
                        .receiveCq(host.receiveCq())
                        .srq(this.usesSrq ? host.srq() : null)
                        .capabilities(new QpCapabilities(
                                setting.sendDepth(), RECEIVE_DEPTH, ENTRIES, ENTRIES, Setting.INLINE))
                        .build());
        target = host.allocateTarget();
        region = host.register(target, rights());
        sendBatch = qp.newSendRequests(1);
        receiveBatch = this.usesSrq ? host.srq().newReceiveRequests(1) : qp.newReceiveRequests(1);
        host.add(this);
    }

    /** Returns all rights that the device supports. */
    Set<AccessFlag> rights() {
        Set<AccessFlag> rights = EnumSet.of(
                AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
        if (host.can(Capability.MW_TYPE_1)) {
            rights.add(AccessFlag.MW_BIND);
        }
        if (host.can(Capability.FLUSH)) {
            rights.add(AccessFlag.FLUSH_GLOBAL);
        }
        return rights;
    }

    void pairWith(End other) {
        peer = other;
    }

    /** Returns the other side of the connection. */
    End peer() {
        if (peer == null) {
            throw new IllegalStateException(name + " is not connected");
        }
        return peer;
    }

    boolean isConnected() {
        return peer != null;
    }

    Host host() {
        return host;
    }

    QueuePair qp() {
        return qp;
    }

    QpType type() {
        return qp.type();
    }

    int number() {
        return qp.number();
    }

    QpState state() {
        return qp.state();
    }

    boolean usesSrq() {
        return usesSrq;
    }

    MemoryRange target() {
        return target;
    }

    MemoryRegion region() {
        return region;
    }

    SendRequests sendBatch() {
        return sendBatch;
    }

    ReceiveRequests receiveBatch() {
        return receiveBatch;
    }

    /** Records a polled completion. Its information about keys is valid from now on. */
    void completed(PolledCompletion done) {
        if (!isSend(done.id())) {
            received.add(done);
            if (done.hasInvalidated()) {
                invalidated(done);
            }
            return;
        }
        sent.add(done);
        Request request = request(done.id());
        if (request == null || !done.isGood()) {
            return;
        }
        Grant made = request.makes;
        if (made != null) {
            made.start(done.step());
        }
        Grant ended = request.ends;
        if (ended != null) {
            ended.ended(request, done.step());
        }
    }

    private void invalidated(PolledCompletion done) {
        for (Request request : peer().requests) {
            Grant ended = request.ends;
            if (ended != null && !request.opcode.isLocal() && ended.key() == done.invalidated()) {
                ended.ended(request, done.step());
            }
        }
    }

    private @Nullable Request request(long id) {
        for (int i = requests.size() - 1; i >= 0; i--) {
            if (requests.get(i).id == id) {
                return requests.get(i);
            }
        }
        return null;
    }

    /** Returns whether an id is that of a send. Ids of sends are even, those of receives odd. */
    static boolean isSend(long id) {
        return (id & 1) == 0;
    }

    /** Returns the newest key of a kind, or null. */
    @Nullable Grant newest(Grant.Kind kind) {
        for (int i = grants.size() - 1; i >= 0; i--) {
            if (grants.get(i).kind() == kind) {
                return grants.get(i);
            }
        }
        return null;
    }

    /** Returns the requests that consume receives, in order. */
    List<Request> messages() {
        return requests.stream().filter(Request::consumesReceive).toList();
    }

    /** Returns the number of requests after the last completed one. */
    int waiting() {
        long last = sent.isEmpty() ? -1 : sent.getLast().id();
        int count = 0;
        for (int i = requests.size() - 1; i >= 0 && requests.get(i).id != last; i--) {
            count++;
        }
        return count;
    }

    /** Returns whether to reconnect, because for {@link #PATIENCE} posts all requests have been flushed. */
    boolean isHopeless() {
        boolean failed = qp.state() == QpState.ERR || (peer != null && peer.state() == QpState.ERR);
        postsInVain = failed ? postsInVain + 1 : 0;
        return postsInVain > PATIENCE;
    }

    /** Returns whether requests are outstanding, as far as completions show. */
    boolean isWaiting() {
        long last = sent.isEmpty() ? -1 : sent.getLast().id();
        for (int i = requests.size() - 1; i >= 0 && requests.get(i).id != last; i--) {
            if (requests.get(i).signaled) {
                return true;
            }
        }
        return false;
    }

    void forget() {
        requests.clear();
        slots.clear();
        sent.clear();
        received.clear();
        grants.clear();
        resumes.clear();
        killed = false;
        drained = false;
        postsInVain = 0;
    }

    @Override
    public String toString() {
        return name;
    }
}
