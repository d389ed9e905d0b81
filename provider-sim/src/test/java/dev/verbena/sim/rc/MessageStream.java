// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.rc;

import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.MessagePattern;
import dev.verbena.sim.fixture.MessageReceiver;
import dev.verbena.sim.fixture.MessageSender;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages from one endpoint to another in the same process. */
final class MessageStream {
    private final MessageSender sender;
    private final MessageReceiver receiver;

    MessageStream(Endpoint from, Endpoint to, int messages, int salt) {
        MessagePattern pattern = new MessagePattern(salt);
        sender = new MessageSender(from, 0, messages, pattern);
        receiver = new MessageReceiver(to, 0, messages, pattern);
    }

    /** Posts and polls; true when all messages have arrived, or the queue pairs failed. */
    boolean step() {
        boolean sent = sender.step();
        boolean received = receiver.step();
        return sender.failedWith() != null || receiver.hasFailed() || (sent && received);
    }

    List<String> failures() {
        List<String> failures = new ArrayList<>(sender.failures());
        failures.addAll(receiver.failures());
        return failures;
    }

    /** Returns the number of messages received. */
    int received() {
        return receiver.received();
    }

    /** Returns the status of the first failed send, or null. */
    @Nullable WorkCompletionStatus failedWith() {
        return sender.failedWith();
    }
}
