package dev.verbena.sim.rc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.verbena.sim.rc.Program.Op;
import dev.verbena.verbs.SendOpcode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Compares one direction of a run with what a device must do that carries out one request after the other. */
final class Verdicts {
    private static final String FLUSHED = "WORK_REQUEST_FLUSHED_ERROR ";
    private static final String GAVE_UP = "RETRY_EXCEEDED_ERROR ";

    private final ProgramRun run;
    private final int side;
    private final List<Op> ops;

    Verdicts(ProgramRun run, int side) {
        this.run = run;
        this.side = side;
        ops = run.program().ops(side);
    }

    void check() {
        int succeeded = checkSends();
        int received = checkReceives(succeeded);
        checkMemory(succeeded, received);
    }

    /** Every request completes once, in order; the first that fails does so for a reason. Returns how many succeeded. */
    private int checkSends() {
        List<String> sends = run.side(side).sends();
        int failed = ops.size();
        for (String send : sends) {
            if (send.startsWith(GAVE_UP)) {
                failed = Integer.parseInt(send.substring(GAVE_UP.length()));
                break;
            }
        }
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < failed; i++) {
            if (ops.get(i).signaled() || i == ops.size() - 1) {
                expected.add(ops.get(i).opcode().completionOpcode() + " " + i);
            }
        }
        for (int i = failed; i < ops.size(); i++) {
            expected.add((i == failed ? GAVE_UP : FLUSHED) + i);
        }
        assertThat(sends).as("sends of side %d", side).isEqualTo(expected);
        if (failed < ops.size()) {
            checkBudget(failed);
        }
        return failed;
    }

    /** A request may only be given up when some packet of it was sent as often as allowed. */
    private void checkBudget(int index) {
        int psn = run.program().psns().get(side);
        for (int i = 0; i < index; i++) {
            psn += ops.get(i).packets(run.program().mtu());
        }
        assertThat(run.mostTransmissions(
                        side, psn, ops.get(index).packets(run.program().mtu())))
                .as("transmissions of request %d of side %d, which was given up", index, side)
                .isGreaterThan(ProgramRun.RETRIES);
    }

    /** The peer's receives complete in order with what was sent, at least those acknowledged. Returns how many. */
    private int checkReceives(int acknowledged) {
        List<String> receives = run.side(1 - side).receives();
        List<String> expected = new ArrayList<>();
        List<String> flushed = new ArrayList<>();
        int needed = 0;
        for (int i = 0; i < ops.size(); i++) {
            if (ops.get(i).opcode().consumesReceive()) {
                expected.add(receiveOf(i));
                flushed.add(FLUSHED + i);
                needed += i < acknowledged ? 1 : 0;
            }
        }
        int received = (int)
                receives.stream().filter(text -> !text.startsWith(FLUSHED)).count();
        assertThat(received).as("messages received from side %d", side).isBetween(needed, expected.size());
        assertThat(receives.subList(0, received)).isEqualTo(expected.subList(0, received));
        assertThat(receives.subList(received, receives.size())).isEqualTo(flushed.subList(received, receives.size()));
        return received;
    }

    private String receiveOf(int index) {
        Op op = ops.get(index);
        return (op.opcode().isSend() ? "RECEIVE " : "RECEIVE_RDMA_WITH_IMMEDIATE ") + index + " of " + op.length()
                + " bytes"
                + (op.opcode() == SendOpcode.SEND ? "" : ", immediate 0x" + Integer.toHexString(Side.immediate(index)));
    }

    /** The peer's memory is as after some whole requests and the first packets of one more: at least those acknowledged. */
    private void checkMemory(int acknowledged, int received) {
        byte[] memory = run.memory(1 - side);
        ModelMemory model = run.model(side);
        int consumed = 0;
        for (int i = 0; i < acknowledged; i++) {
            model.apply(i);
            consumed += ops.get(i).opcode().consumesReceive() ? 1 : 0;
        }
        for (int i = acknowledged; i < ops.size(); i++) {
            for (int packet = 0; packet < ops.get(i).packets(run.program().mtu()); packet++) {
                if (consumed == received && Arrays.equals(memory, model.image())) {
                    return;
                }
                model.apply(i, packet);
            }
            consumed += ops.get(i).opcode().consumesReceive() ? 1 : 0;
        }
        if (consumed != received || !Arrays.equals(memory, model.image())) {
            fail(
                    "the memory of side %d differs from the model first at byte %d, and after %d acknowledged requests"
                            + " no number of further packets explains it",
                    1 - side, Arrays.mismatch(memory, model.image()), acknowledged);
        }
    }
}
