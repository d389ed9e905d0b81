// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;

/** Sends the operations of a rule ({@link Step}) to a conformance agent, which executes them. */
final class RemoteEndpoint implements Endpoint {
    private final ControlChannel channel;
    private final InetSocketAddress agent;
    private final Duration patience;
    private boolean lost;

    private RemoteEndpoint(ControlChannel channel, InetSocketAddress agent, Duration patience) {
        this.channel = channel;
        this.agent = agent;
        this.patience = patience;
    }

    static RemoteEndpoint connect(
            InetSocketAddress agent, Duration patience, Optional<SharedSecret> secret, Introduction introduction)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(agent, Math.toIntExact(patience.toMillis()));
            if (secret.isPresent()) {
                secret.get().prove(socket, patience);
            }
            ControlChannel channel = new ControlChannel(socket, patience, introduction.ours());
            introduction.met(channel.introduction());
            return new RemoteEndpoint(channel, agent, patience);
        } catch (IOException refused) {
            socket.close();
            throw new IOException("no agent at " + agent + ": " + refused.getMessage(), refused);
        }
    }

    @Override
    public Reply perform(Step step) {
        if (lost) {
            throw new ControlChannelException(
                    "the channel to the agent at " + agent + " is lost; " + step + " was not sent");
        }
        try {
            channel.send(Step.class, step);
            return (Reply) channel.receive(Reply.class, patience.plus(step.patience()));
        } catch (SocketTimeoutException late) {
            throw lost(
                    "the agent at " + agent + " did not answer " + step + " within " + patience.plus(step.patience()),
                    late);
        } catch (EOFException ended) {
            throw lost("the agent at " + agent + " closed the channel; " + step + " was not answered", ended);
        } catch (IOException broken) {
            throw lost(
                    "the channel to the agent at " + agent + " failed at " + step + ": " + broken.getMessage(), broken);
        }
    }

    /**
     * After a failure, closes the TCP connection to the {@code ConformanceAgent}, so that a late reply is not mistaken for
     * the reply to the next {@link Step}.
     */
    private ControlChannelException lost(String what, IOException why) {
        lost = true;
        try {
            channel.close();
        } catch (IOException refused) {
            why.addSuppressed(refused);
        }
        return new ControlChannelException(what, why);
    }

    /** Makes the conformance agent close its objects and report failures, and then closes the TCP connection. */
    @Override
    public void close() {
        if (lost) {
            return;
        }
        try (channel) {
            Reply last = perform(new Step.CloseAll());
            if (last instanceof Reply.Refusal refusal) {
                throw new Refused(refusal);
            }
        } catch (IOException broken) {
            throw new ControlChannelException("the channel to the agent at " + agent + " cannot be closed", broken);
        }
    }
}
