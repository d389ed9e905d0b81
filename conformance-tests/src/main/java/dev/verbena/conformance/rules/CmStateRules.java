// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertErrno;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.PortSpace;
import dev.verbena.conformance.rules.CmTalk.Connected;
import dev.verbena.conformance.side.CmChannel;
import dev.verbena.conformance.side.CmNumbers;
import dev.verbena.conformance.side.Id;
import dev.verbena.conformance.side.Pair;
import dev.verbena.verbs.Errno;

/** The rules of rule area CM about the calls that are allowed in each state of a connection id. */
public interface CmStateRules extends RuleSet {
    enum Stage {
        NEW,
        BOUND,
        LISTENING,
        ADDRESS_RESOLVED,
        ROUTE_RESOLVED,
        ASKING,
        ASKED,
        ESTABLISHED,
        DISCONNECTED
    }

    enum Verb {
        BIND,
        LISTEN,
        RESOLVE_ADDRESS,
        RESOLVE_ROUTE,
        CONNECT,
        ACCEPT,
        REJECT,
        ESTABLISH,
        NOTIFY,
        DISCONNECT,
        REUSE_ADDRESS,
        TYPE_OF_SERVICE,
        ACK_TIMEOUT;

        private boolean isAllowed(Stage stage) {
            return switch (this) {
                case BIND -> stage == Stage.NEW;
                case LISTEN -> stage == Stage.BOUND;
                case RESOLVE_ADDRESS -> stage == Stage.NEW || stage == Stage.BOUND;
                case RESOLVE_ROUTE -> stage == Stage.ADDRESS_RESOLVED;
                case CONNECT -> stage == Stage.ROUTE_RESOLVED;
                case ACCEPT, REJECT -> stage == Stage.ASKED;
                case ESTABLISH, NOTIFY -> false;
                case DISCONNECT ->
                    stage == Stage.ASKING
                            || stage == Stage.ASKED
                            || stage == Stage.ESTABLISHED
                            || stage == Stage.DISCONNECTED;
                case REUSE_ADDRESS -> stage != Stage.LISTENING;
                case TYPE_OF_SERVICE, ACK_TIMEOUT -> true;
            };
        }

        private void on(Id id, CmTalk talk) {
            switch (this) {
                case BIND -> id.bind(0);
                case LISTEN -> id.listen(1);
                case RESOLVE_ADDRESS -> id.resolveAddress(talk.peer(), talk.port());
                case RESOLVE_ROUTE -> id.resolveRoute();
                case CONNECT -> id.connect(CmNumbers.usual().withQpNumber(77));
                case ACCEPT -> id.accept(CmNumbers.usual().withQpNumber(78));
                case REJECT -> id.reject(new byte[0]);
                case ESTABLISH -> id.establish();
                case NOTIFY -> id.notifyEstablished();
                case DISCONNECT -> id.disconnect();
                case REUSE_ADDRESS -> id.reuseAddress(true);
                case TYPE_OF_SERVICE -> id.typeOfService(0x20);
                case ACK_TIMEOUT -> id.ackTimeout(18);
            }
        }
    }

    private static Id at(Stage stage, CmTalk talk) {
        CmChannel channel = talk.active();
        return switch (stage) {
            case NEW -> channel.id(PortSpace.TCP);
            case BOUND -> {
                Id id = channel.id(PortSpace.TCP);
                id.bind(0);
                yield id;
            }
            case LISTENING -> {
                Id id = at(Stage.BOUND, talk);
                id.listen(1);
                yield id;
            }
            case ADDRESS_RESOLVED -> {
                Id id = channel.id(PortSpace.TCP);
                id.resolveAddress(talk.peer(), talk.port());
                channel.expect(CmEventType.ADDR_RESOLVED);
                yield id;
            }
            case ROUTE_RESOLVED -> talk.resolved();
            case ASKING -> talk.asking(CmNumbers.usual()).id();
            case ASKED -> {
                talk.asking(CmNumbers.usual());
                yield talk.asked().id();
            }
            case ESTABLISHED -> talk.connected().active().id();
            case DISCONNECTED -> {
                Connected connected = talk.connected();
                connected.active().id().disconnect();
                talk.passive().expect(CmEventType.DISCONNECTED);
                connected.passive().id().disconnect();
                talk.active().expect(CmEventType.DISCONNECTED);
                yield connected.active().id();
            }
        };
    }

    @Rule(
            id = "CM-11",
            text = "A call that the state of a connection id does not allow is refused with EINVAL. On a connected"
                    + " connection id, rdma_notify is refused with EISCONN. A call that the state of the id allows"
                    + " is not refused.",
            source = "rdma_cm(7); the manual pages of each call; drivers/infiniband/core/cma.c and cm.c (cm_establish)"
                    + " of Linux",
            rig = {Needs.CONNECTIONS},
            lookAt = {"whether each call checks the state of the connection id"})
    default void callsInTheWrongStateAreRefused(Stage stage, Verb verb) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Id id = at(stage, talk);
            if (verb.isAllowed(stage)) {
                verb.on(id, talk);
            } else {
                boolean connected = verb == Verb.NOTIFY && stage == Stage.ESTABLISHED;
                assertErrno(connected ? Errno.EISCONN : Errno.EINVAL, () -> verb.on(id, talk));
            }
        }
    }
}
