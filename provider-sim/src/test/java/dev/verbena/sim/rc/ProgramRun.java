package dev.verbena.sim.rc;

import dev.verbena.fault.LinkPacket;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.capture.TappedFabric;
import dev.verbena.sim.capture.TraceHash;
import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fault.FaultKind;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A program that was carried out by two devices in virtual time, with everything that can be seen of it afterwards. */
final class ProgramRun {
    /** How often a packet is sent again without progress. */
    static final int RETRIES = 7;

    private static final Duration LONG_ENOUGH = Duration.ofMinutes(10);
    private static final List<String> ADDRESSES = List.of("192.0.2.1", "192.0.2.2");

    private final Program program;
    private final VirtualRuntime runtime;
    private final TraceHash trace = new TraceHash();
    private final FaultyFabric faults;
    private final Node[] nodes = new Node[2];
    private final Side[] sides = new Side[2];
    private final ModelMemory[] models = new ModelMemory[2];

    /** How often each side sent each PSN. */
    private final List<Map<Integer, Integer>> transmissions = List.of(new HashMap<>(), new HashMap<>());

    private final boolean ended;

    ProgramRun(Program program) throws VerbsException {
        this.program = program;
        runtime = new VirtualRuntime(program.seed());
        FaultyFabric[] made = new FaultyFabric[1];
        Lab lab = new Lab(runtime, wire -> {
            made[0] = new FaultyFabric(wire, program.weather().plan(), runtime);
            made[0].add((packet, random) -> note(packet));
            return new TappedFabric(made[0], runtime, trace);
        });
        faults = made[0];
        connect(lab);
        for (int side = 0; side < 2; side++) {
            sides[side].scheduleReceives(runtime, program.ops(1 - side), models[1 - side]);
        }
        ended = lab.until(this::step, LONG_ENOUGH);
        for (Side side : sides) {
            side.endpoint().fail();
        }
        lab.settle();
        step();
        lab.close();
    }

    private void connect(Lab lab) throws VerbsException {
        Connection connection = Connection.USUAL
                .mtu(program.mtu())
                .psns(program.psns().get(0), program.psns().get(1))
                .timeout(AckTimeout.ofCode(12), RETRIES)
                .rnr(RnrRetryCount.FOREVER, RnrTimer.ofCode(6));
        Endpoint[] endpoints = new Endpoint[2];
        for (int side = 0; side < 2; side++) {
            nodes[side] = lab.node("sim" + side, ADDRESSES.get(side), ModelMemory.BYTES);
            nodes[side].fill(0, ModelMemory.SOURCE, side);
            // A send queue that is full at times.
            endpoints[side] = nodes[side].endpoint(new QpCapabilities(7, 31, 4, 4, Program.INLINE));
        }
        endpoints[0].connect(endpoints[1], connection);
        byte[][] memory = {ModelMemory.snapshot(nodes[0]), ModelMemory.snapshot(nodes[1])};
        for (int side = 0; side < 2; side++) {
            models[side] =
                    new ModelMemory(program.mtu(), program.ops(side), memory[side].clone(), memory[1 - side].clone());
            sides[side] = new Side(endpoints[side], program.ops(side), models[side]);
        }
    }

    private boolean step() {
        boolean left = sides[0].step(nodes[1].region());
        boolean right = sides[1].step(nodes[0].region());
        return left && right;
    }

    private Verdict note(LinkPacket packet) {
        int side = packet.source().equals(nodes[0].address()) ? 0 : 1;
        // Acknowledgements carry PSNs of the other direction.
        if (packet.opcode() != 0x11) {
            transmissions.get(side).merge(packet.psn(), 1, Integer::sum);
        }
        return Verdict.PASS;
    }

    Program program() {
        return program;
    }

    /** Whether the last request of both sides completed in time. */
    boolean ended() {
        return ended;
    }

    Side side(int side) {
        return sides[side];
    }

    /** What the memory of this side's peer must become. */
    ModelMemory model(int side) {
        return models[side];
    }

    byte[] memory(int side) {
        return ModelMemory.snapshot(nodes[side]);
    }

    /** How often this side sent the packet that it sent most often, of those from one PSN on. */
    int mostTransmissions(int side, int firstPsn, int packets) {
        int most = 0;
        for (int i = 0; i < packets; i++) {
            most = Math.max(most, transmissions.get(side).getOrDefault((firstPsn + i) & Psn.MAX_VALUE, 0));
        }
        return most;
    }

    long count(Counter counter) {
        return nodes[0].count(counter) + nodes[1].count(counter);
    }

    long count(FaultKind kind) {
        return faults.count(kind);
    }

    /** Everything that must be the same in every repetition. */
    String fingerprint() {
        StringBuilder text = new StringBuilder(trace.hex()).append(" at ").append(runtime.nanoTime());
        for (Side side : sides) {
            text.append('\n').append(side.sends()).append(side.receives());
        }
        return text.toString();
    }
}
