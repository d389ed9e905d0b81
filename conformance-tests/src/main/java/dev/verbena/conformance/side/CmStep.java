// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.cm.MulticastRole;
import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.QpState;
import java.time.Duration;

/** A CM call, as a Java record that can be sent to a conformance agent; see {@link Step}. IP addresses are literals. */
public sealed interface CmStep {
    default Duration patience() {
        return Duration.ZERO;
    }

    record OpenChannel(int handle) implements CmStep {}

    record OpenId(int handle, int channel, PortSpace portSpace) implements CmStep {}

    /** The connection ids of pending connection requests get consecutive handles, starting with {@code firstHandle}. */
    record AwaitEvents(int channel, int count, int firstHandle, Duration patience) implements CmStep {}

    record Bind(int id, String address, int port) implements CmStep {}

    record Listen(int id, int backlog) implements CmStep {}

    /** The source address is ignored if the connection id is bound. */
    record ResolveAddress(int id, String source, String address, int port, Duration timeout) implements CmStep {}

    record ResolveRoute(int id, Duration timeout) implements CmStep {}

    /** Selects the connection id's device as the device for new protection domains, queues and memory. */
    record UseDeviceOf(int id) implements CmStep {}

    record OpenQp(int handle, int id, int pd, Step.QpSettings settings) implements CmStep {}

    record Connect(int id, CmNumbers parameters) implements CmStep {}

    record Accept(int id, CmNumbers parameters) implements CmStep {}

    record Reject(int id, byte[] privateData) implements CmStep {}

    record Establish(int id) implements CmStep {}

    record AskQpAttributes(int id, QpState state) implements CmStep {}

    record NotifyEstablished(int id) implements CmStep {}

    record Disconnect(int id) implements CmStep {}

    record Join(int id, String group, MulticastRole role) implements CmStep {}

    record Leave(int id, String group) implements CmStep {}

    record SetTypeOfService(int id, int value) implements CmStep {}

    record SetReuseAddress(int id, boolean value) implements CmStep {}

    record SetAckTimeout(int id, int code) implements CmStep {}

    record Migrate(int id, int channel) implements CmStep {}

    record AskAddresses(int id) implements CmStep {}
}
