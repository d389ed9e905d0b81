// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import java.util.List;

/**
 * A program of work requests for three devices, and the faults of their packets. The program determines all events.
 *
 * @param seed the seed of the run
 * @param setting the properties of the queue pairs
 * @param actions the actions, in order
 * @param faults the faults of packets
 */
record Program(long seed, Setting setting, List<Action> actions, List<Fault> faults) {
    /** Returns this program with other actions and faults. */
    Program with(List<Action> others, List<Fault> otherFaults) {
        return new Program(seed, setting, List.copyOf(others), List.copyOf(otherFaults));
    }

    /** Returns one line for each action and each fault. */
    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("seed ").append(seed).append("\n").append(setting);
        actions.forEach(action -> text.append("\n  ").append(action));
        faults.forEach(fault -> text.append("\n  ").append(fault));
        return text.append('\n').toString();
    }
}
