// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.cm.MulticastRole;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.time.Duration;
import java.util.Optional;

public final class Id extends SideObject {
    public static final Duration RESOLVING = Duration.ofSeconds(2);

    Id(Side side, int handle) {
        super(side, handle);
    }

    private Reply manage(CmStep step) {
        return side().perform(new Step.Manage(step));
    }

    public void bind(String address, int port) {
        manage(new CmStep.Bind(handle(), address, port));
    }

    /** Binds the id to the device's own IP address and the given port number. */
    public void bind(int port) {
        bind(addressOf(side()), port);
    }

    public void listen(int backlog) {
        manage(new CmStep.Listen(handle(), backlog));
    }

    public void resolveAddress(String address, int port) {
        manage(new CmStep.ResolveAddress(handle(), addressOf(side()), address, port, RESOLVING));
    }

    public void resolveAddress(Side peer, int port) {
        resolveAddress(addressOf(peer), port);
    }

    public void resolveRoute() {
        manage(new CmStep.ResolveRoute(handle(), RESOLVING));
    }

    public void connect(CmNumbers parameters) {
        manage(new CmStep.Connect(handle(), parameters));
    }

    public void accept(CmNumbers parameters) {
        manage(new CmStep.Accept(handle(), parameters));
    }

    public void reject(byte[] privateData) {
        manage(new CmStep.Reject(handle(), privateData));
    }

    public void establish() {
        manage(new CmStep.Establish(handle()));
    }

    public QpAttributes initQpAttributes(QpState state) {
        return ((Reply.Attributes) manage(new CmStep.AskQpAttributes(handle(), state))).attributes();
    }

    public void notifyEstablished() {
        manage(new CmStep.NotifyEstablished(handle()));
    }

    public void disconnect() {
        manage(new CmStep.Disconnect(handle()));
    }

    public void join(String group, MulticastRole role) {
        manage(new CmStep.Join(handle(), group, role));
    }

    public void leave(String group) {
        manage(new CmStep.Leave(handle(), group));
    }

    public void typeOfService(int value) {
        manage(new CmStep.SetTypeOfService(handle(), value));
    }

    public void reuseAddress(boolean value) {
        manage(new CmStep.SetReuseAddress(handle(), value));
    }

    public void ackTimeout(int code) {
        manage(new CmStep.SetAckTimeout(handle(), code));
    }

    public void migrate(CmChannel channel) {
        manage(new CmStep.Migrate(handle(), channel.handle()));
    }

    /** Returns the id's local and peer addresses as strings "IP address/port"; an unset address is "". */
    public Reply.Addresses addresses() {
        return (Reply.Addresses) manage(new CmStep.AskAddresses(handle()));
    }

    public int port() {
        String local = addresses().local();
        return Integer.parseInt(local.substring(local.indexOf('/') + 1));
    }

    /** Creates a queue pair for the connection id, with memory and completion queues on the id's device. */
    public End end(QpType type) {
        return end(Shape.usual().withType(type));
    }

    End end(Shape shape) {
        useDevice();
        return End.open(side(), shape, this::qp);
    }

    /**
     * Creates a queue pair for this connection id. The new queue pair uses the protection domain, the memory and the
     * shared receive queue of an existing queue pair ({@code other}).
     */
    End endLike(End other, Shape shape) {
        return other.withQp(shape, this::qp);
    }

    private void useDevice() {
        manage(new CmStep.UseDeviceOf(handle()));
    }

    private Qp qp(Pd pd, Cq sends, Cq receives, Optional<Srq> srq, Shape shape) {
        int qp = side().newHandle();
        Reply facts = manage(new CmStep.OpenQp(
                qp,
                handle(),
                pd.handle(),
                new Step.QpSettings(
                        sends.handle(),
                        receives.handle(),
                        srq.map(Srq::handle),
                        shape.type(),
                        shape.capabilities(),
                        shape.signalAll())));
        return new Qp(side(), qp, shape.type(), sends, receives, (Reply.QpFacts) facts);
    }

    /**
     * Creates a queue pair in RESET on the device of the connection id. The queue pair does not belong to the
     * connection id.
     */
    public End externalEnd() {
        manage(new CmStep.UseDeviceOf(handle()));
        return End.open(side(), Shape.usual());
    }

    /**
     * Modifies a queue pair that was created without rdma_create_qp to each given state, with the attributes that
     * rdma_init_qp_attr returns.
     */
    public void bring(Qp qp, QpState... states) {
        for (QpState state : states) {
            qp.modify(initQpAttributes(state));
        }
    }

    /** Returns the IP address of a device's port; a rule that needs this address must require connection managers. */
    public static String addressOf(Side side) {
        return side.facts().ip().orElseThrow();
    }
}
