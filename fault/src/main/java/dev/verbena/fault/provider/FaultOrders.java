// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The faults that a test has requested from a {@link FaultyProvider}. Thread-safe. */
final class FaultOrders implements CompletionRule {
    private final Map<FaultyCall, Long> calls = new EnumMap<>(FaultyCall.class);
    private final List<Failing> failing = new ArrayList<>();
    private final Set<Capability> hidden = EnumSet.noneOf(Capability.class);
    private volatile List<CompletionRule> rules = List.of();

    /** A test has requested that {@code count} successive calls of a method fail, from call number {@code first} on. */
    private record Failing(FaultyCall call, long first, long count, Errno errno) {}

    /** Counts a call. Returns the errno with which the call must fail, or empty if the call must not fail. */
    synchronized Optional<Errno> onCall(FaultyCall call) {
        long number = calls.merge(call, 1L, Long::sum);
        return failing.stream()
                .filter(order -> order.call == call && number >= order.first && number - order.first < order.count)
                .map(Failing::errno)
                .findFirst();
    }

    synchronized long calls(FaultyCall call) {
        return calls.getOrDefault(call, 0L);
    }

    synchronized AutoCloseable fail(FaultyCall call, long from, long count, Errno errno) {
        Failing order = new Failing(call, calls(call) + from, count, errno);
        failing.add(order);
        return () -> cancel(order);
    }

    private synchronized void cancel(Failing order) {
        failing.remove(order);
    }

    synchronized void hide(Capability... capabilities) {
        hidden.addAll(Arrays.asList(capabilities));
    }

    synchronized boolean isHidden(Capability capability) {
        return hidden.contains(capability);
    }

    synchronized Set<Capability> visible(Set<Capability> all) {
        Set<Capability> left = EnumSet.noneOf(Capability.class);
        left.addAll(all);
        left.removeAll(hidden);
        return Collections.unmodifiableSet(left);
    }

    synchronized void add(CompletionRule rule) {
        List<CompletionRule> more = new ArrayList<>(rules);
        more.add(rule);
        rules = List.copyOf(more);
    }

    @Override
    public CompletionFate judge(WorkCompletion completion) {
        for (CompletionRule rule : rules) {
            CompletionFate fate = rule.judge(completion);
            if (!(fate instanceof CompletionFate.Deliver)) {
                return fate;
            }
        }
        return CompletionFate.DELIVER;
    }

    VerbsException failure(Errno errno, FaultyCall call) {
        return new VerbsException(errno, call.toString(), "call " + calls(call) + " failed by fault injection");
    }
}
