// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertErrno;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.PortSpace;
import dev.verbena.conformance.rules.CmTalk.Half;
import dev.verbena.conformance.side.CmChannel;
import dev.verbena.conformance.side.CmEventRecord;
import dev.verbena.conformance.side.CmNumbers;
import dev.verbena.conformance.side.Id;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Reply;
import dev.verbena.verbs.Errno;

/** The rules of rule area CM about IP addresses and rdma_cm ports. */
public interface CmAddressRules extends RuleSet {
    @Rule(
            id = "CM-08",
            text = "The connection id of a connection request has the listener's address and port as its local"
                    + " address, and the active side's address and port as its peer address.",
            source = "rdma_get_local_addr(3); rdma_get_peer_addr(3)",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the addresses in the private data of the REQ"})
    default void aConnectionRequestHasBothAddresses() {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Half active = talk.asking(CmNumbers.usual());
            CmChannel.Requested requested = talk.passive().expectRequest();
            assertEquals(talk.listener().handle(), requested.request().listener(), "the listener of the request");
            Reply.Addresses asker = active.id().addresses();
            Reply.Addresses asked = requested.id().addresses();
            assertEquals(asker.local(), asked.peer(), "the active side's address, as the passive side sees it");
            assertEquals(asker.peer(), asked.local(), "the listener's address");
        }
    }

    @Rule(
            id = "CM-09",
            text = "Two connection ids may share a port if both allow address reuse and neither listens. Otherwise,"
                    + " binding the second connection id to the port fails with EADDRINUSE. Closing a connection id"
                    + " frees its port.",
            source = "rdma_bind_addr(3); rdma_set_option(3) (RDMA_OPTION_ID_REUSEADDR)",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the table of bound ports"})
    default void bindingAnOccupiedPortFails() {
        try (Pair pair = pair()) {
            CmChannel channel = CmChannel.open(pair.first());
            Id first = channel.id(PortSpace.TCP);
            first.reuseAddress(true);
            first.bind(0);
            int port = first.port();
            Id second = channel.id(PortSpace.TCP);
            assertErrno(Errno.EADDRINUSE, () -> second.bind(port));
            second.reuseAddress(true);
            second.bind(port);
            second.close();
            first.listen(1);
            Id third = channel.id(PortSpace.TCP);
            third.reuseAddress(true);
            assertErrno(Errno.EADDRINUSE, () -> third.bind(port));
            first.close();
            third.bind(port);
        }
    }

    @Rule(
            id = "CM-10",
            text = "Binding a connection id to an address that no device has fails with EADDRNOTAVAIL.",
            source = "rdma_bind_addr(3)",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the search for the device that has an address"})
    default void bindingAnAddressOfNoDeviceFails() {
        try (Pair pair = pair()) {
            Id id = CmChannel.open(pair.first()).id(PortSpace.TCP);
            assertErrno(Errno.EADDRNOTAVAIL, () -> id.bind("203.0.113.77", 0));
            id.bind(0);
        }
    }

    @Rule(
            id = "CM-17",
            text = "If the destination host does not exist, ADDR_ERROR is reported with a negative errno, within the"
                    + " timeout of the call.",
            source = "rdma_resolve_addr(3) (timeout_ms)",
            rig = {Needs.CONNECTIONS, Needs.VIRTUAL_TIME},
            lookAt = {"the deadline of the address resolution"})
    default void aMissingHostIsReported() {
        try (Pair pair = pair()) {
            CmChannel channel = CmChannel.open(pair.first());
            Id id = channel.id(PortSpace.TCP);
            id.resolveAddress("203.0.113.77", 1);
            CmEventRecord error = channel.expect(CmEventType.ADDR_ERROR, Id.RESOLVING);
            assertTrue(error.status() < 0, () -> "status of the event is " + error.status());
        }
    }
}
