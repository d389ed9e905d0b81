// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.side.Side;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Blocks a call of one device, for several verbs in turn. Meanwhile another device transfers messages, and delivers
 * completion events, asynchronous events and events of connection ids; this and a third device are closed. Then the
 * blocked call returns, and the first device must close. The exit code is 1 if a thread has waited for the blocked
 * call.
 */
final class BlockedCallProgram {
    private static final Side.Waiting WAITING = new Side.Waiting(Duration.ofSeconds(2), Duration.ofMillis(1));
    private static final Duration TIME = Duration.ofSeconds(10);

    private static final List<String> VERBS = List.of(
            "ibv_open_device",
            "ibv_query_port",
            "ibv_alloc_pd",
            "ibv_reg_mr",
            "ibv_create_comp_channel",
            "ibv_create_cq",
            "ibv_create_qp",
            "ibv_modify_qp",
            "rdma_resolve_addr",
            "rdma_connect",
            "ibv_destroy_qp",
            "ibv_destroy_cq",
            "ibv_dereg_mr",
            "ibv_dealloc_pd",
            "ibv_close_device");

    private final VerbsProvider provider = VerbsProviders.named("ibverbs");
    private final UnrulyControl control = new UnrulyControl();

    private BlockedCallProgram() throws VerbsException {}

    @FunctionalInterface
    private interface Flow {
        void run() throws VerbsException;
    }

    public static void main(String[] arguments) throws VerbsException, InterruptedException {
        BlockedCallProgram program = new BlockedCallProgram();
        program.transfer();
        int wrong = 0;
        for (String verb : VERBS) {
            wrong += program.isIndependent(verb) ? 0 : 1;
        }
        System.out.println(VERBS.size() + " verbs, " + wrong + " wrong");
        System.exit(wrong == 0 ? 0 : 1);
    }

    /** Opens a device, transfers messages over connections of both kinds, and closes the device. */
    private void transfer() throws VerbsException {
        try (Device device = provider.open("plain0")) {
            UnrulySuite rules = rules(device);
            rules.aReadReturnsEarlierWrites(100);
            rules.disconnectingEndsBothSides(true);
            rules.anArmedCompletionQueueRaisesOneEvent(true, 1);
            rules.closeLeftOver();
        }
    }

    private UnrulySuite rules(Device device) throws VerbsException {
        return new UnrulySuite(device, provider.extension(ConnectionManager.class), WAITING);
    }

    private boolean isIndependent(String verb) throws VerbsException, InterruptedException {
        Device other = provider.open("plain0");
        UnrulySuite rules = rules(other);
        Map<String, Flow> flows = new LinkedHashMap<>();
        flows.put("transfer", () -> rules.aReadReturnsEarlierWrites(100));
        flows.put("events by a handler", () -> rules.anArmedCompletionQueueRaisesOneEvent(false, 1));
        flows.put("events by a channel", () -> rules.anArmedCompletionQueueRaisesOneEvent(true, 1));
        flows.put("asynchronous events", () -> rules.theLimitEventIsRaisedOnce(1));
        flows.put("connection", () -> rules.disconnectingEndsBothSides(true));
        flows.put("close", other::close);
        flows.put("open and close", () -> provider.open("plain0").close());
        control.block(verb);
        FutureTask<Void> blocked = start(this::transfer);
        boolean right = control.awaitBlocked(TIME);
        for (Map.Entry<String, Flow> flow : flows.entrySet()) {
            right = right && ends(flow.getKey() + " while " + verb + " is blocked", start(flow.getValue()));
        }
        right = right && control.awaitBlocked(Duration.ZERO);
        control.unblock();
        return ends("transfer after the blocked " + verb, blocked) && right;
    }

    private static FutureTask<Void> start(Flow flow) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            flow.run();
            return null;
        });
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    private static boolean ends(String what, FutureTask<Void> task) throws InterruptedException {
        try {
            task.get(TIME.toSeconds(), TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException waits) {
            System.out.println(what + ": waits");
        } catch (ExecutionException failed) {
            System.out.println(what + ": " + failed.getCause());
        }
        return false;
    }
}
