// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.capture.PacketTap;
import dev.verbena.sim.model.Action.Change;
import dev.verbena.sim.model.Action.Room;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

/** Runs a program. Judges its outcome whenever queue pairs are reconnected and at the end. */
final class Run {
    private static final Duration ROUND = Duration.ofMillis(2);

    /** Without a pending timeout, no packet is in flight after this time. */
    private static final Duration SETTLED = Duration.ofNanos(4L * FaultRule.LONGEST_DELAY);

    private static final int MOST_ROUNDS = 2000;

    private final Program program;
    private final World world;
    private final EventCounts tally = new EventCounts();
    private final Poster poster;
    private final Keys keys;
    private final StringBuilder completions = new StringBuilder();
    private long step = 1;

    private Run(Program program, boolean traced, Function<SimRuntime, PacketTap> onlooker) throws VerbsException {
        this.program = program;
        world = new World(program, traced, onlooker);
        poster = new Poster(world, tally);
        keys = new Keys(poster);
    }

    /** Runs a program and returns the run. A failure has the program and its packets. */
    static Run of(Program program) {
        return of(program, runtime -> (time, link, packet) -> {});
    }

    /** Runs a program with a tap on its packets. */
    static Run of(Program program, Function<SimRuntime, PacketTap> onlooker) {
        try {
            Run run = new Run(program, false, onlooker);
            run.all();
            return run;
        } catch (AssertionError | RuntimeException | VerbsException failure) {
            throw new AssertionError(failure.getMessage() + "\n" + program + trace(program), failure);
        }
    }

    private static String trace(Program program) {
        Run run;
        try {
            run = new Run(program, true, runtime -> (time, link, packet) -> {});
        } catch (VerbsException failure) {
            return failure.toString();
        }
        try {
            run.all();
            return "it did not happen again";
        } catch (AssertionError | RuntimeException | VerbsException again) {
            return run.world.wire().trace() + "\n";
        }
    }

    EventCounts tally() {
        return tally;
    }

    /** Returns a text that must be the same in every repetition. */
    String fingerprint() {
        return world.wire().hash() + " at " + world.runtime().nanoTime() + ", completions "
                + HexFormat.of().formatHex(sha256(completions.toString()));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }

    private void all() throws VerbsException {
        for (Action action : program.actions()) {
            step++;
            world.wire().note(step + " " + action);
            perform(action);
        }
        finish();
        world.wire().tally().forEach(tally::add);
        world.faults().tally().forEach((kind, times) -> tally.add(EventCounts.fault(kind), times));
    }

    private End end(int number) {
        return world.ends().get(number % world.ends().size());
    }

    private void perform(Action action) throws VerbsException {
        switch (action) {
            case Action.Send send -> {
                End end = end(send.end());
                if (end.isHopeless()) {
                    modify(end, Change.RECONNECT);
                }
                poster.send(end, send, step);
            }
            case Action.Receive receive -> poster.receive(end(receive.end()), receive, step);
            case Action.Key key -> keys.change(end(key.end()), key, step);
            case Action.Wait wait -> {
                world.lab().run(Duration.ofNanos(wait.nanos()));
                poll();
            }
            case Action.Modify modify -> modify(end(modify.end()), modify.change());
        }
    }

    private void poll() {
        step++;
        for (Host host : world.hosts()) {
            host.poll(step, tally);
        }
    }

    private void modify(End end, Change change) throws VerbsException {
        switch (change) {
            case RECONNECT -> {
                endConnection(end);
                for (End side : together(end)) {
                    side.qp().modify(QpAttributes.reset());
                }
                for (End side : end.isConnected() ? List.of(end) : together(end)) {
                    world.connect(side);
                }
            }
            case FAIL -> kill(end);
            case DRAIN -> {
                if (end.state() == QpState.RTS
                        && end.type() == QpType.RC
                        && end.host().can(Capability.SQ_DRAIN)) {
                    end.drained = false;
                    end.qp()
                            .modify(QpAttributes.builder()
                                    .state(QpState.SQD)
                                    .enableSqdAsyncNotify(true)
                                    .build());
                }
            }
            case RESUME -> resume(end);
        }
    }

    private static void resume(End end) throws VerbsException {
        QpState state = end.state();
        if (state == QpState.SQE) {
            end.resumes.add(end.requests.size());
        }
        if (state == QpState.SQE || (state == QpState.SQD && end.drained)) {
            end.qp().modify(QpAttributes.builder().state(QpState.RTS).build());
        }
    }

    private static void kill(End end) throws VerbsException {
        end.killed = true;
        end.qp().modify(QpAttributes.error());
    }

    /** Returns the queue pairs that are reconnected together. */
    private List<End> together(End end) {
        return end.isConnected()
                ? world.ends().stream()
                        .filter(other -> other == end || other == end.peer())
                        .toList()
                : world.ends().stream().filter(other -> !other.isConnected()).toList();
    }

    /** Moves queue pairs to ERR in their present state, and judges their outcome. */
    private void endConnection(End end) throws VerbsException {
        List<End> sides = together(end);
        for (End side : sides) {
            kill(side);
        }
        world.lab().run(SETTLED);
        poll();
        judge(sides);
        for (End side : sides) {
            side.sent.forEach(
                    done -> completions.append(side).append(' ').append(done).append('\n'));
            side.received.forEach(
                    done -> completions.append(side).append(' ').append(done).append('\n'));
            keys.close(side);
        }
    }

    private void judge(List<End> sides) {
        switch (sides.getFirst().type()) {
            case RC -> sides.forEach(side -> new RcVerdict(side, world, tally).check());
            case UC -> sides.forEach(side -> new UcVerdict(side, world, tally).check());
            case UD -> new UdVerdict(sides, world, tally).check();
        }
    }

    /** Posts a receive for every message, waits until all requests have ended, and judges the outcome. */
    private void finish() throws VerbsException {
        int rounds = 0;
        while (world.ends().stream().anyMatch(end -> end.isWaiting() || end.state() == QpState.SQD)) {
            assertThat(rounds++).as("rounds until all requests had completed").isLessThan(MOST_ROUNDS);
            for (End end : world.ends()) {
                resume(end);
                if (end.type() == QpType.RC) {
                    giveReceives(end);
                }
            }
            world.lab().run(ROUND);
            poll();
        }
        world.lab().run(SETTLED);
        poll();
        for (End end : world.ends()) {
            if (together(end).getFirst() == end) {
                endConnection(end);
            }
        }
        for (Host host : world.hosts()) {
            FetchAddCheck.check(host);
            host.checkShared();
            host.verify();
        }
        world.close();
    }

    /** Posts the receives for the waiting messages; moves the queue pair to ERR if the memory is used up. */
    private void giveReceives(End end) throws VerbsException {
        End peer = end.peer();
        int missing = peer.usesSrq() ? end.waiting() : end.messages().size() - peer.slots.size();
        for (int i = 0; i < missing; i++) {
            if (!poster.receive(peer, Room.EXACT, List.of(), step)) {
                kill(end);
                return;
            }
        }
    }
}
