package dev.verbena.sim.model;

import java.util.List;

/**
 * A program of work requests for a small world of devices, and what befalls their packets. Everything that happens follows from
 * it.
 *
 * @param seed of the run
 * @param setting what the queue pairs are like
 * @param actions what is done, one after the other
 * @param faults what befalls packets
 */
record Program(long seed, Setting setting, List<Action> actions, List<Fault> faults) {
    /** The same with other actions and faults. */
    Program with(List<Action> others, List<Fault> otherFaults) {
        return new Program(seed, setting, List.copyOf(others), List.copyOf(otherFaults));
    }

    /** One line an action and a fault. */
    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("seed ").append(seed).append("\n").append(setting);
        actions.forEach(action -> text.append("\n  ").append(action));
        faults.forEach(fault -> text.append("\n  ").append(fault));
        return text.append('\n').toString();
    }
}
