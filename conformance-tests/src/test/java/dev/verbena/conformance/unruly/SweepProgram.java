// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Side;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs flows of calls again and again. In the n-th run of a flow the n-th call of libibverbs and librdmacm fails, or the
 * device is removed at the n-th call. After each run no object may be left. The exception of a flow with a failed call
 * must name the verb and the errno. The arguments are the number of errors with which each call fails, and optionally a
 * part of the names of the flows to run. The exit code is 1 if a run was wrong.
 */
final class SweepProgram {
    private static final Side.Waiting WAITING = new Side.Waiting(Duration.ofSeconds(1), Duration.ofMillis(1));
    private static final List<Errno> ERRORS = List.of(Errno.ENOMEM, Errno.EIO, Errno.EPERM, Errno.EINVAL);
    private static final Duration MOST_FOR_A_RUN = Duration.ofSeconds(20);
    private static final int HUNG = 3;

    private final VerbsProvider provider = VerbsProviders.named("ibverbs");
    private final UnrulyControl control = new UnrulyControl();
    private final Map<String, Integer> withoutException = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();
    private volatile String running = "";
    private volatile long end = Long.MAX_VALUE;
    /** The objects that exist between runs, such as the completion channel of the connection manager's device. */
    private final Map<String, Integer> permanent = new TreeMap<>();

    private int runs;

    private SweepProgram() throws VerbsException {}

    private static Map<String, Consumer<UnrulySuite>> flows() {
        Map<String, Consumer<UnrulySuite>> flows = new LinkedHashMap<>();
        flows.put("open", rules -> {
            try (Pair pair = rules.pair()) {
                pair.first().facts();
            }
        });
        flows.put("register", UnrulySuite::reregistrationChangesAccessRights);
        flows.put("transfer", rules -> rules.aReadReturnsEarlierWrites(100));
        flows.put("unreliable", rules -> rules.aWriteArrivesUnaltered(100));
        flows.put("datagrams", rules -> rules.aMulticastDatagramArrivesOnceAtEachMember(true));
        flows.put("error and reset", rules -> rules.afterResetAQueuePairWorksLikeANewOne(2, true));
        flows.put("events by a handler", rules -> rules.anArmedCompletionQueueRaisesOneEvent(false, 1));
        flows.put("events by a channel", rules -> rules.anArmedCompletionQueueRaisesOneEvent(true, 1));
        flows.put("shared receive queue", rules -> rules.aResizedSharedReceiveQueueKeepsItsReceives(1, 1));
        flows.put("window of type 1", UnrulySuite::aWindowBoundAgainHasANewKey);
        flows.put("window of type 2", UnrulySuite::sendWithInvalidateInvalidatesTheKey);
        flows.put("connection, client and server", rules -> rules.disconnectingEndsBothSides(true));
        flows.put("queue pairs of their own", rules -> rules.anIdWithoutAQueuePairNeedsEstablish(true));
        flows.put("rejection", rules -> rules.closingWithoutAnAnswerRejectsTheRequest(true));
        flows.put("migration", UnrulySuite::pendingEventsMoveWithAMigratedId);
        flows.put("datagram service", UnrulySuite::theActiveSideGetsTheAddressOfADatagramService);
        flows.put("multicast", UnrulySuite::aMemberReceivesTheDatagramsOfItsGroup);
        flows.put("LNet up and down", rules -> LnetFlow.run(rules.connections().orElseThrow()));
        return flows;
    }

    public static void main(String[] arguments) throws VerbsException, IOException, InterruptedException {
        SweepProgram sweep = new SweepProgram();
        Thread watch = new Thread(sweep::watch);
        watch.setDaemon(true);
        watch.start();
        int errors = Integer.parseInt(arguments[0]);
        Map<String, Consumer<UnrulySuite>> flows = flows();
        if (arguments.length > 1) {
            flows.keySet().removeIf(name -> !name.contains(arguments[1]));
        }
        flows.forEach(sweep::warmUp);
        sweep.permanent.putAll(sweep.control.live());
        int descriptors = settled(Integer.MAX_VALUE);
        flows.forEach((name, flow) -> sweep.sweep(name, flow, errors));
        int left = settled(descriptors);
        if (left > descriptors) {
            sweep.wrong.add((left - descriptors) + " descriptors are left");
        }
        sweep.wrong.forEach(System.out::println);
        System.out.println("failures without an exception: " + sweep.withoutException);
        System.out.println(sweep.runs + " runs, " + sweep.wrong.size() + " wrong");
        System.exit(sweep.wrong.isEmpty() ? 0 : 1);
    }

    /** Returns the number of open descriptors, once it is not above a number or does not fall for a second. */
    private static int settled(int most) throws IOException, InterruptedException {
        int count = Integer.MAX_VALUE;
        for (int i = 0; i < 20 && count > most || i == 0; i++) {
            Thread.sleep(50);
            try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
                count = (int) open.count();
            }
        }
        return count;
    }

    private void warmUp(String name, Consumer<UnrulySuite> flow) {
        Optional<Throwable> failure = run(name + " without a failing call", () -> control.fail(0, 0), flow);
        failure.ifPresent(thrown -> wrong.add(running + ": " + thrown));
    }

    private void sweep(String name, Consumer<UnrulySuite> flow, int errors) {
        int calls = 0;
        for (int n = 1; n == calls + 1; n++) {
            for (int i = 0; i < errors; i++) {
                int call = n;
                Errno errno = ERRORS.get((n + i) % ERRORS.size());
                String what = name + ", call " + n + " fails with " + errno;
                Optional<Throwable> thrown = run(what, () -> control.fail(call, errno.number()), flow);
                String verb = control.failed();
                checkObjectsLeftOpen();
                if (!verb.isEmpty()) {
                    calls = n;
                    check(verb, errno, thrown);
                } else if (thrown.isPresent()) {
                    wrong.add(running + ": no call failed, but " + thrown.get());
                }
            }
        }
        for (int n = 1; n <= calls; n++) {
            int call = n;
            run(name + ", the device is removed at call " + n, () -> control.removeAt(call), flow);
            checkObjectsLeftOpen();
            control.restore();
        }
        System.out.println(name + ": " + calls + " calls");
    }

    private void check(String verb, Errno errno, Optional<Throwable> thrown) {
        if (thrown.isEmpty()) {
            withoutException.merge(verb, 1, Integer::sum);
        } else if (!isExplained(thrown.get(), verb, errno)) {
            wrong.add(running + ", " + verb + ": the exception names another verb or error: " + thrown.get());
        }
    }

    /**
     * Returns whether an exception is the result of the failed call. The kit reports a refused post without the verb, and
     * {@code QueuePair.state} returns the last known state if the query fails, so that a post may be refused.
     */
    private static boolean isExplained(Throwable thrown, String verb, Errno errno) {
        return messages(thrown)
                .anyMatch(text -> (text.contains(verb) && text.contains(errno.name()))
                        || (verb.startsWith("ibv_post_") && text.contains("was not taken"))
                        || (verb.equals("ibv_query_qp")
                                && (text.contains("state of Qp") || text.contains("was not taken"))));
    }

    private static Stream<String> messages(Throwable thrown) {
        Stream<Throwable> others =
                Stream.concat(Stream.ofNullable(thrown.getCause()), Stream.of(thrown.getSuppressed()));
        return Stream.concat(Stream.of(thrown.toString()), others.flatMap(SweepProgram::messages));
    }

    /** Runs a flow once, and closes everything. Returns the exception of the flow. */
    private Optional<Throwable> run(String what, Runnable order, Consumer<UnrulySuite> flow) {
        running = what;
        end = System.nanoTime() + MOST_FOR_A_RUN.toNanos();
        runs++;
        Optional<Throwable> failure = Optional.empty();
        order.run();
        try (Device device = provider.open("plain0")) {
            UnrulySuite rules = new UnrulySuite(device, provider.extension(ConnectionManager.class), WAITING);
            try {
                flow.accept(rules);
            } catch (RuntimeException | AssertionError thrown) {
                failure = Optional.of(thrown);
            } finally {
                rules.closeLeftOver();
            }
            closeOnce(device);
        } catch (VerbsException | RuntimeException thrown) {
            failure = failure.or(() -> Optional.of(thrown));
        }
        end = Long.MAX_VALUE;
        return failure;
    }

    /** A permanent object is absent between its removal with the device and its creation by a later flow. */
    private void checkObjectsLeftOpen() {
        control.live().forEach((kind, count) -> {
            int before = permanent.getOrDefault(kind, 0);
            if (count > before) {
                wrong.add(running + ", " + control.failed() + ": " + (count - before) + " " + kind + " are left");
                permanent.put(kind, count);
            }
        });
    }

    /** Closes the device; a close that fails is repeated by the caller. */
    private static void closeOnce(Device device) {
        try {
            device.close();
        } catch (VerbsException repeated) {
            // The close at the end of the caller's block reports a second failure.
        }
    }

    private void watch() {
        while (System.nanoTime() < end) {
            try {
                Thread.sleep(100);
            } catch (InterruptedException ended) {
                return;
            }
        }
        System.out.println(running + " hangs");
        Thread.getAllStackTraces()
                .forEach((thread, frames) -> System.out.println(thread
                        + Stream.of(frames).map(frame -> "\n    at " + frame).collect(Collectors.joining())));
        Runtime.getRuntime().halt(HUNG);
    }
}
