// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidSelector;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * The tool {@code ibv_rc_pingpong}, also over UC, UD and a shared receive queue: client and server send messages
 * alternately, and the client starts. Not thread-safe.
 */
public final class PingPong {
    private static final int BITS = 8;
    private static final double NANOS = 1e9;
    /** A process polls without a pause for this time, which covers a few round trips through a kernel's software device. */
    private static final long EAGER_NANOS = 5_000_000;

    private static final int LOOKS = 64;
    private static final double NANOS_OF_MICRO = 1e3;
    /** The byte with which all pingpongs of libibverbs except {@code ibv_srq_pingpong} fill their buffers. */
    private static final int FILL = 0x7B;

    private final Device device;
    private final PingPongSettings settings;
    private final RandomGenerator random;
    private final PrintWriter out;
    private final VerbsRuntime runtime;
    private final PingPongData data;
    private final int[] pending;
    private final int[] messages;
    private int receivesPosted;
    private int received;
    private int sent;

    /** Creates a client or a server, with a source of random initial PSNs. */
    public PingPong(Device device, PingPongSettings settings, RandomGenerator random, PrintWriter out) {
        this.device = device;
        this.settings = settings;
        this.random = random;
        this.out = out;
        runtime = device.runtime();
        data = new PingPongData(settings.sharedReceives() ? 0 : FILL, settings.check());
        pending = new int[settings.queuePairs()];
        messages = new int[settings.queuePairs()];
    }

    /**
     * Exchanges all messages of the pingpong with the peer. Throws {@link ToolException} if a work request failed, a
     * received byte was wrong, or the peer exceeded the time limit.
     */
    public void run() throws ToolException, IOException, VerbsException, InterruptedException {
        checkSettings();
        try (PingPongQueues queues = new PingPongQueues(device, settings)) {
            refill(queues);
            if (settings.events()) {
                queues.cq().requestNotification(Notification.NEXT_COMPLETION);
            }
            connect(queues);
            long start = runtime.nanoTime();
            begin(queues);
            exchange(queues);
            report(runtime.nanoTime() - start);
            runtime.await(() -> false, settings.linger());
        }
    }

    private void checkSettings() throws ToolException, VerbsException {
        device.require(
                switch (settings.type()) {
                    case RC -> Capability.RC;
                    case UC -> Capability.UC;
                    case UD -> Capability.UD;
                },
                "ibv_create_qp");
        device.require(Capability.MANUAL_CONNECT, "ibv_modify_qp");
        if (settings.queuePairs() > settings.receiveDepth()) {
            throw new ToolException("rx_depth " + settings.receiveDepth() + " is too small for " + settings.queuePairs()
                    + " QPs -- must have at least one receive per QP.");
        }
        int mostReceives = settings.sharedReceives()
                ? device.attributes().maxSrqWr()
                : device.attributes().maxQpWr();
        if (settings.receiveDepth() > mostReceives) {
            throw new ToolException("rx_depth " + settings.receiveDepth() + " exceeds the maximum of " + mostReceives
                    + " receive WRs of " + device.name() + "; reduce it with -r");
        }
        PortAttributes port = device.queryPort(settings.port());
        if (settings.size() > port.maxMessageSize()) {
            throw new ToolException("size " + settings.size() + " exceeds the maximum message size of "
                    + port.maxMessageSize() + " bytes of port " + settings.port() + " of "
                    + device.name() + "; reduce it with -s");
        }
        PathMtu mtu = port.activeMtu();
        if (settings.type() == QpType.UD && settings.size() > mtu.bytes()) {
            throw new ToolException("Requested size larger than port MTU (" + mtu.bytes() + ")");
        }
        if (settings.type() != QpType.UD && settings.mtu().bytes() > mtu.bytes()) {
            throw new ToolException("path MTU " + settings.mtu().bytes() + " exceeds the active MTU " + mtu.bytes()
                    + " of port " + settings.port() + " of " + device.name() + "; choose a smaller one with -m");
        }
    }

    private void connect(PingPongQueues queues) throws ToolException, IOException, VerbsException {
        GidSelector selector = settings.gidIndex().isPresent()
                ? GidSelector.ofIndex(settings.gidIndex().getAsInt())
                : GidSelector.automatic();
        GidEntry source = selector.select(device, settings.port());
        int lid = device.queryPort(settings.port()).lid();
        List<Destination> mine = new ArrayList<>();
        for (int i = 0; i < queues.count(); i++) {
            Psn psn = Psn.of(random.nextInt() & Psn.MAX_VALUE);
            mine.add(new Destination(lid, queues.queuePair(i).number(), psn, source.gid()));
        }
        AddressExchange exchange = new AddressExchange(settings);
        if (settings.server().isPresent()) {
            announce(mine);
            List<Destination> remote = exchange.withServer(settings.server().get(), mine);
            print("  remote address: ", remote, ",");
            queues.connect(mine, remote, source);
            return;
        }
        try (ServerSocketChannel listener = exchange.listen()) {
            InetSocketAddress at = (InetSocketAddress) listener.socket().getLocalSocketAddress();
            out.println("Waiting for client to connect to port " + at.getPort() + " of "
                    + at.getAddress().getHostAddress() + " ..."
                    + Exposure.OPEN.at(at.getAddress()));
            announce(mine);
            print(
                    "  remote address: ",
                    exchange.withClient(listener, mine, peer -> queues.connect(mine, peer, source)),
                    ",");
        }
    }

    private void announce(List<Destination> mine) {
        // ibv_ud_pingpong prints a colon before the GID instead of a comma.
        print("  local address:  ", mine, settings.type() == QpType.UD ? ":" : ",");
    }

    private void print(String title, List<Destination> destinations, String gidSeparator) {
        destinations.forEach(destination -> out.println(title + destination.describe(gidSeparator)));
        out.flush();
    }

    private void begin(PingPongQueues queues) throws ToolException {
        for (int i = 0; i < queues.count(); i++) {
            pending[i] = PingPongQueues.RECEIVE_ID;
            data.fillPlain(queues.sendPlace(i));
        }
        if (settings.isClient()) {
            for (int i = 0; i < queues.count(); i++) {
                send(queues, i);
            }
        }
    }

    private void exchange(PingPongQueues queues) throws ToolException, VerbsException, InterruptedException {
        WorkCompletions completions = queues.cq().newCompletions(settings.receiveDepth() + queues.count());
        while (received < settings.iterations() || sent < settings.iterations()) {
            awaitSome(queues, completions);
            for (int i = 0; i < completions.count(); i++) {
                take(queues, completions.get(i));
            }
        }
    }

    private void awaitSome(PingPongQueues queues, WorkCompletions completions)
            throws ToolException, VerbsException, InterruptedException {
        CompletionChannel channel = queues.channel();
        boolean some;
        if (channel == null) {
            some = looks(queues.cq(), completions)
                    || runtime.await(() -> queues.cq().poll(completions) > 0, settings.patience());
        } else {
            some = channel.await(settings.patience()).isPresent();
            queues.cq().requestNotification(Notification.NEXT_COMPLETION);
            queues.cq().poll(completions);
        }
        if (!some) {
            throw new ToolException("neither a message nor an acknowledgement arrived for "
                    + settings.patience().toSeconds() + " seconds; received " + received + ", sent " + sent + " of "
                    + settings.iterations() + "; " + queues.queuePair(0).explain());
        }
    }

    /**
     * While the peer's reply may be imminent, polls without a pause, as the original pingpongs do. Returns false in virtual
     * time, or if no completion arrives within {@code EAGER_NANOS}. This method does not call {@code Thread.onSpinWait},
     * because an emulated processor executes its instruction slowly.
     */
    @SuppressWarnings("ThreadPriorityCheck") // Client and server may share a processor.
    private boolean looks(CompletionQueue queue, WorkCompletions completions) {
        if (runtime.isVirtual()) {
            return false; // Virtual time advances only while a thread waits.
        }
        long start = runtime.nanoTime();
        while (runtime.nanoTime() - start < EAGER_NANOS) {
            for (int i = 0; i < LOOKS; i++) {
                if (queue.poll(completions) > 0) {
                    return true;
                }
            }
            Thread.yield();
        }
        return false;
    }

    private void take(PingPongQueues queues, WorkCompletion completion) throws ToolException {
        if (!completion.isSuccess()) {
            throw new ToolException("Failed status " + completion.status().description() + " ("
                    + completion.status().code() + ") for wr_id "
                    + PingPongQueues.kind(completion.workRequestId()) + "\n"
                    + completion.explain());
        }
        int index = queues.indexOf(completion.qpNumber());
        if (index < 0) {
            throw new ToolException(String.format(Locale.ROOT, "Couldn't find QPN %06x", completion.qpNumber()));
        }
        int kind = PingPongQueues.kind(completion.workRequestId());
        if (kind == PingPongQueues.SEND_ID) {
            sent++;
        } else {
            takeMessage(queues, index, queues.takeArrived(completion.workRequestId()));
        }
        pending[index] &= ~kind;
        if (sent < settings.iterations() && pending[index] == 0) {
            send(queues, index);
        }
    }

    private void takeMessage(PingPongQueues queues, int index, MemorySegment message) throws ToolException {
        if (settings.check()) {
            check(message, index);
        }
        if (!settings.isClient()) {
            // The original pingpongs have one buffer for both directions, so a server sends back the bytes that it
            // received.
            queues.sendPlace(index).copyFrom(message);
        }
        if (settings.check()) {
            PingPongData.poison(message);
        }
        if (--receivesPosted <= queues.count()) {
            refill(queues);
        }
        received++;
    }

    private void refill(PingPongQueues queues) throws ToolException {
        receivesPosted += queues.postReceives(settings.receiveDepth() - receivesPosted);
        if (receivesPosted < settings.receiveDepth()) {
            throw new ToolException("Couldn't post receive (" + receivesPosted + ")");
        }
    }

    private void check(MemorySegment message, int index) throws ToolException {
        int number = settings.isClient() ? messages[index] : nextNumber(index);
        long wrong = PingPongData.wrongNumbered(message, number);
        if (wrong >= 0 && !settings.isClient()) {
            wrong = data.wrongPlain(message);
        }
        if (wrong >= 0) {
            throw new ToolException("invalid data in page " + wrong + " of message " + number);
        }
    }

    /**
     * Returns the message number of the next message, from which the message's payload is computed. If the queue pairs
     * share a receive queue, this method always returns 1. The server of libibverbs' pingpong tools has one buffer for all
     * queue pairs, so its reply may contain a message from another queue pair.
     */
    private int nextNumber(int index) {
        messages[index] = settings.sharedReceives() ? 1 : messages[index] + 1;
        return messages[index];
    }

    private void send(PingPongQueues queues, int index) throws ToolException {
        if (settings.check() && settings.isClient()) {
            PingPongData.fillNumbered(queues.sendPlace(index), nextNumber(index));
        }
        if (!queues.postSend(index)) {
            throw new ToolException("Couldn't post send");
        }
        pending[index] = PingPongQueues.RECEIVE_ID | PingPongQueues.SEND_ID;
    }

    private void report(long nanos) {
        long bytes = 2L * settings.size() * settings.iterations();
        double seconds = nanos / NANOS;
        out.println(String.format(
                Locale.ROOT,
                "%d bytes in %.2f seconds = %.2f Mbit/sec",
                bytes,
                seconds,
                bytes * BITS / (nanos / NANOS_OF_MICRO)));
        out.println(String.format(
                Locale.ROOT,
                "%d iters in %.2f seconds = %.2f usec/iter",
                settings.iterations(),
                seconds,
                nanos / NANOS_OF_MICRO / settings.iterations()));
        out.flush();
    }
}
