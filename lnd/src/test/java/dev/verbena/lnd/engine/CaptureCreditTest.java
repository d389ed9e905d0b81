// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.wire.Captures;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageDefect;
import dev.verbena.lnd.wire.MessageType;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real nodes keep the same books: their conversations, replayed, never break the rules of the ledger. */
class CaptureCreditTest {

    private final Map<Integer, CreditLedger> ledgers = new HashMap<>();

    static Stream<String> conversations() {
        return Captures.expected().entrySet().stream()
                .filter(file -> file.getValue().getOrDefault("CONNACK", 0) == 1)
                .map(Map.Entry::getKey);
    }

    @ParameterizedTest
    @MethodSource("conversations")
    void theLedgersOfBothEndsNeverBreakARule(String file) {
        List<Captures.Message> messages = Captures.read(file);
        for (Captures.Message captured : messages) {
            LndMessage message = new LndMessage().wrap(MemorySegment.ofArray(captured.bytes()), 0);
            if (captured.carrier() == Captures.Carrier.CM_REJ
                    || message.parse(captured.bytes().length) != MessageDefect.NONE) {
                continue;
            }
            if (message.type() == MessageType.CONNACK) {
                int depth = message.connParams().queueDepth();
                ledgers.put(2, new CreditLedger(depth));
                ledgers.put(3, new CreditLedger(depth));
            } else if (captured.carrier() == Captures.Carrier.SEND) {
                replay(captured, message);
            }
        }
        assertThat(ledgers).hasSize(2);
        for (int node : ledgers.keySet()) {
            CreditLedger one = ledger(node);
            CreditLedger other = ledger(5 - node);
            assertThat(one.credits()).isGreaterThanOrEqualTo(0);
            assertThat(one.credits() + other.outstanding()).isLessThanOrEqualTo(8);
        }
    }

    private CreditLedger ledger(int node) {
        return Objects.requireNonNull(ledgers.get(node));
    }

    private void replay(Captures.Message captured, LndMessage message) {
        CreditLedger sender = ledger(captured.from());
        CreditLedger receiver = ledger(5 - captured.from());
        MessageType type = message.type();
        if (type.needsReservedCredit()) {
            assertThat(sender.reserve()).as("%s", captured).isTrue();
        }
        if (type.needsCredit()) {
            assertThat(sender.canSend()).as("%s", captured).isTrue();
        }
        int given = message.header().credits();
        int owed = sender.send(type.needsCredit());
        assertThat(given).as("%s", captured).isLessThanOrEqualTo(owed);
        // The credits of messages that it has received but not handled are not returned yet.
        sender.undoSend(false, owed - given);
        assertThat(receiver.receive(given)).as("%s", captured).isTrue();
        RepostEffect effect = effect(type);
        assertThat(receiver.repost(effect)).as("%s", captured).isTrue();
    }

    /** None of the captured PUTs is refused, so a PUT_REQ always keeps its buffer for PUT_DONE. */
    private static RepostEffect effect(MessageType type) {
        return switch (type) {
            case NOOP, PUT_REQ -> RepostEffect.NONE;
            case PUT_ACK, PUT_NAK, GET_DONE -> RepostEffect.RESERVED;
            default -> RepostEffect.CREDIT;
        };
    }
}
