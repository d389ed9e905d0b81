// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.cm.CmCapability;
import dev.verbena.cm.CmEvent;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Executes the CM calls of a rule ({@link CmStep}) on a device of this process. */
final class LocalConnections {
    private final Optional<ConnectionManager> manager;
    private final VerbsRuntime runtime;
    private final LocalObjects objects;

    /**
     * The multicast groups that the running conformance rule has joined and not left. A queue pair cannot be closed
     * while it is a member of a multicast group.
     */
    private final List<CmStep.Join> joined = Collections.synchronizedList(new ArrayList<>());

    LocalConnections(Optional<ConnectionManager> manager, Device device, LocalObjects objects) {
        this.manager = manager;
        this.runtime = device.runtime();
        this.objects = objects;
    }

    Optional<Set<CmCapability>> capabilities() {
        return manager.map(ConnectionManager::capabilities);
    }

    Reply execute(CmStep step) throws VerbsException, InterruptedException {
        switch (step) {
            case CmStep.OpenChannel open ->
                objects.keep(open.handle(), manager().createEventChannel());
            case CmStep.OpenId open ->
                objects.keep(
                        open.handle(),
                        manager().createId(objects.get(open.channel(), EventChannel.class), open.portSpace(), null));
            case CmStep.AwaitEvents await -> {
                return await(await);
            }
            case CmStep.Bind bind -> id(bind.id()).bind(address(bind.address(), bind.port()));
            case CmStep.Listen listen -> id(listen.id()).listen(listen.backlog());
            case CmStep.ResolveAddress resolve -> resolve(resolve);
            case CmStep.ResolveRoute resolve -> id(resolve.id()).resolveRoute(resolve.timeout());
            case CmStep.UseDeviceOf use -> objects.use(id(use.id()).device().orElseThrow());
            case CmStep.OpenQp open -> {
                return openQp(open);
            }
            case CmStep.Connect connect ->
                id(connect.id()).connect(connect.parameters().toParameters());
            case CmStep.Accept accept ->
                id(accept.id()).accept(accept.parameters().toParameters());
            case CmStep.Reject reject -> id(reject.id()).reject(reject.privateData());
            case CmStep.Establish establish -> id(establish.id()).establish();
            case CmStep.AskQpAttributes ask -> {
                return new Reply.Attributes(id(ask.id()).initQpAttributes(ask.state()));
            }
            case CmStep.NotifyEstablished notify -> id(notify.id()).notifyEstablished();
            case CmStep.Disconnect disconnect -> id(disconnect.id()).disconnect();
            case CmStep.Join join -> {
                id(join.id()).joinMulticast(InetAddress.ofLiteral(join.group()), join.role(), join.group());
                joined.add(join);
            }
            case CmStep.Leave leave -> leave(leave.id(), leave.group());
            case CmStep.SetTypeOfService set -> id(set.id()).setTypeOfService(set.value());
            case CmStep.SetReuseAddress set -> id(set.id()).setReuseAddress(set.value());
            case CmStep.SetAckTimeout set -> id(set.id()).setAckTimeout(AckTimeout.ofCode(set.code()));
            case CmStep.Migrate migrate -> id(migrate.id()).migrate(objects.get(migrate.channel(), EventChannel.class));
            case CmStep.AskAddresses ask -> {
                return new Reply.Addresses(
                        text(id(ask.id()).localAddress()), text(id(ask.id()).peerAddress()));
            }
        }
        return new Reply.Done();
    }

    private void leave(int id, String group) throws VerbsException {
        id(id).leaveMulticast(InetAddress.ofLiteral(group));
        joined.removeIf(join -> join.id() == id && join.group().equals(group));
    }

    /** Leaves the multicast groups that a rule has joined and not left. */
    void leaveGroups() {
        for (CmStep.Join join : List.copyOf(joined)) {
            try {
                leave(join.id(), join.group());
            } catch (VerbsException | RuntimeException refused) {
                // If leaving a multicast group fails, the later close of the queue pair reports this failure. The next
                // call of `leaveGroups` tries again to leave the multicast group.
            }
        }
    }

    private ConnectionManager manager() {
        return manager.orElseThrow(() -> new IllegalStateException("this side has no connection manager"));
    }

    private ConnectionId id(int handle) {
        return objects.get(handle, ConnectionId.class);
    }

    private void resolve(CmStep.ResolveAddress step) throws VerbsException {
        ConnectionId id = id(step.id());
        // Without a source address, the connection id could use another device that has a route to the peer.
        InetSocketAddress source = id.localAddress().isPresent() ? null : address(step.source(), 0);
        id.resolveAddress(source, address(step.address(), step.port()), step.timeout());
    }

    private static InetSocketAddress address(String literal, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), port);
    }

    private static String text(Optional<InetSocketAddress> address) {
        return address.map(known -> known.getAddress().getHostAddress() + "/" + known.getPort())
                .orElse("");
    }

    private Reply openQp(CmStep.OpenQp step) throws VerbsException {
        QueuePair queuePair = id(step.id())
                .createQp(objects.get(step.pd(), ProtectionDomain.class), objects.attributes(step.settings()));
        objects.keep(step.handle(), queuePair);
        return new Reply.QpFacts(queuePair.number(), queuePair.capabilities());
    }

    private Reply await(CmStep.AwaitEvents step) throws VerbsException, InterruptedException {
        EventChannel channel = objects.get(step.channel(), EventChannel.class);
        List<CmEventRecord> found = new ArrayList<>();
        long end = runtime.nanoTime() + step.patience().toNanos();
        int handle = step.firstHandle();
        while (found.size() < step.count()) {
            long left = end - runtime.nanoTime();
            Optional<CmEvent> event = left > 0 ? channel.await(Duration.ofNanos(left)) : channel.poll();
            if (event.isEmpty()) {
                break;
            }
            try (CmEvent cmEvent = event.get()) {
                int id = objects.handleOf(cmEvent.id());
                if (id < 0) {
                    id = handle++;
                    objects.keep(id, cmEvent.id());
                }
                found.add(new CmEventRecord(
                        cmEvent.type(),
                        id,
                        cmEvent.listenId().map(objects::handleOf).orElse(-1),
                        cmEvent.status(),
                        cmEvent.privateData(),
                        new CmEventRecord.Peer(cmEvent.parameters().map(CmNumbers::of), cmEvent.udParameters())));
            }
        }
        return new Reply.CmEvents(found);
    }
}
