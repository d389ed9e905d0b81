package dev.verbena.sim.udp;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkPacket;
import dev.verbena.fault.Probability;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fault.FaultKind;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.MessagePattern;
import dev.verbena.sim.fixture.MessageReceiver;
import dev.verbena.sim.fixture.MessageSender;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** One of two processes that send each other messages over a bad link, both at once. */
final class LossPeer implements AutoCloseable {
    static final int RETRIES = 7;

    /** 134 ms: a thread seldom waits as long for its processor, also where there are few of them. Eight of them end it. */
    private static final AckTimeout TIMEOUT = AckTimeout.ofCode(15);

    /** Time for some tens of packets. */
    private static final Duration LATE = Duration.ofNanos(200_000);

    private static final FaultPlan WEATHER = FaultPlan.builder()
            .drop(Probability.parse("10%"))
            .reorder(Probability.parse("5%"), LATE)
            .duplicate(Probability.parse("2%"))
            .corrupt(Probability.parse("1%"))
            .build();

    private final Loopback place;
    private final int side;
    private final byte[] transmissions = new byte[1 << 24];
    private final List<FaultyFabric> faults = new ArrayList<>();
    private final UdpLab lab;
    private final Node node;
    private final Endpoint endpoint;
    private final MessageSender sender;
    private final MessageReceiver receiver;

    LossPeer(Loopback place, int side, int messages) throws VerbsException {
        this.place = place;
        this.side = side;
        lab = new UdpLab(place, this::withFaults);
        node = lab.node(side, MessagePattern.MEMORY);
        endpoint = node.endpoint(new QpCapabilities(MessagePattern.SEND_SLOTS, MessagePattern.RECEIVE_SLOTS, 1, 1, 0));
        sender = new MessageSender(endpoint, messages, new MessagePattern(side));
        receiver = new MessageReceiver(endpoint, messages, new MessagePattern(1 - side));
    }

    private Fabric withFaults(Fabric udp, SimRuntime runtime) {
        FaultyFabric faulty = new FaultyFabric(udp, WEATHER, runtime);
        faulty.add((packet, random) -> note(packet));
        faults.add(faulty);
        return faulty;
    }

    private Verdict note(LinkPacket packet) {
        if (packet.opcode() != Opcode.RC_ACKNOWLEDGE.code()) {
            transmissions[packet.psn()]++;
        }
        return Verdict.PASS;
    }

    /** What the peer must know: the port and the number of the queue pair. */
    String self() {
        return lab.udp().endpoint(place.gid(side)).getPort() + " "
                + endpoint.qp().number();
    }

    /** Connects to the peer that gave this; its packets may come from now on. */
    void connect(String peer) throws VerbsException {
        String[] words = peer.split(" ", -1);
        int other = 1 - side;
        lab.udp()
                .endpoint(
                        place.gid(other),
                        new InetSocketAddress(place.anyPort(other).getAddress(), Integer.parseInt(words[0])));
        Connection.USUAL
                .mtu(PathMtu.MTU_4096)
                .psns(0, 0)
                .timeout(TIMEOUT, RETRIES)
                .rnr(RnrRetryCount.FOREVER, RnrTimer.ofCode(1))
                .apply(endpoint.qp(), place.gid(other), Integer.parseInt(words[1]));
        receiver.step();
    }

    /** Sends and receives until all is there, or the queue pair has ended, or the other side's has. */
    boolean run(Duration timeout, BooleanSupplier peerEnded) {
        return lab.lab()
                .until(
                        () -> {
                            boolean sent = sender.step();
                            boolean received = receiver.step();
                            return (sent && received)
                                    || sender.failedWith() != null
                                    || receiver.hasFailed()
                                    || peerEnded.getAsBoolean();
                        },
                        timeout);
    }

    /** Goes on answering the peer until it needs no answers any more. */
    boolean serve(Duration timeout, BooleanSupplier peerEnded) {
        return lab.lab().until(peerEnded, timeout);
    }

    /** What came of it, in the words of {@link Outcome#parse}. */
    Outcome outcome() {
        // The queue pair may have ended after sends were looked at and before receives were.
        sender.step();
        int most = 0;
        for (byte count : transmissions) {
            most = Math.max(most, count);
        }
        FaultyFabric faulty = faults.getFirst();
        int wrong = sender.failures().size() + receiver.failures().size();
        return new Outcome(
                receiver.received(),
                wrong,
                String.valueOf(sender.failedWith()),
                most,
                node.count(Counter.SENT_PKTS),
                node.count(Counter.RETRANSMITTED_PKTS),
                node.count(Counter.DROPPED_ICRC),
                faulty.count(FaultKind.DROP),
                faulty.count(FaultKind.DELAY),
                faulty.count(FaultKind.DUPLICATE),
                faulty.count(FaultKind.CORRUPT));
    }

    @Override
    public void close() {
        lab.close();
    }

    /**
     * What one side saw.
     *
     * @param received messages that came
     * @param wrong messages that were altered, or out of their turn
     * @param failedWith how sending ended, {@code null} if well
     * @param mostTransmissions how often the packet was sent that was sent most often
     * @param sent packets
     * @param retransmitted packets
     * @param badIcrc packets that came damaged
     * @param dropped packets that the link lost
     * @param delayed packets that the link delivered late
     * @param duplicated packets that the link delivered twice
     * @param corrupted packets that the link damaged
     */
    record Outcome(
            int received,
            int wrong,
            String failedWith,
            int mostTransmissions,
            long sent,
            long retransmitted,
            long badIcrc,
            long dropped,
            long delayed,
            long duplicated,
            long corrupted) {

        String format() {
            return String.join(
                    " ",
                    List.of(
                            "ended",
                            "" + received,
                            "" + wrong,
                            failedWith,
                            "" + mostTransmissions,
                            "" + sent,
                            "" + retransmitted,
                            "" + badIcrc,
                            "" + dropped,
                            "" + delayed,
                            "" + duplicated,
                            "" + corrupted));
        }

        static Outcome parse(String line) {
            String[] words = line.split(" ", -1);
            long[] numbers = new long[words.length];
            for (int i = 1; i < words.length; i++) {
                numbers[i] = i == 3 ? 0 : Long.parseLong(words[i]);
            }
            return new Outcome(
                    (int) numbers[1],
                    (int) numbers[2],
                    words[3],
                    (int) numbers[4],
                    numbers[5],
                    numbers[6],
                    numbers[7],
                    numbers[8],
                    numbers[9],
                    numbers[10],
                    numbers[11]);
        }
    }
}
