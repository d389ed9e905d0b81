// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges the completions of a send queue. Each signaled or failed request completes once, in order. The first failure
 * must have a reason, and all later requests are flushed.
 */
final class Sends {
    private final End end;
    private final World world;
    private final long[] ended;
    private final Map<Request, PolledCompletion> failures = new LinkedHashMap<>();
    private int succeeded;
    /** The failure for which the present requests are flushed. */
    private @Nullable PolledCompletion failure;

    Sends(End end, World world) {
        this.end = end;
        this.world = world;
        ended = new long[end.requests.size()];
        Arrays.fill(ended, Grant.NEVER);
    }

    /** Returns the number of requests that succeeded before the first failure. */
    int succeeded() {
        return succeeded;
    }

    /** Returns the first failure; null if all requests succeeded. */
    @Nullable PolledCompletion failure() {
        return failures.isEmpty() ? null : failures.values().iterator().next();
    }

    /**
     * Returns whether a READ before a message was refused for its key. If the message had begun to arrive, that READ
     * had already been answered and was repeated. The refusal then ends the current receive, as in rdma_rxe.
     */
    boolean readRefusedBefore(Request message) {
        return failures.entrySet().stream()
                .anyMatch(each -> each.getKey().opcode == SendOpcode.RDMA_READ
                        && each.getKey().index < message.index
                        && each.getValue().status() == WorkCompletionStatus.REM_ACCESS_ERR);
    }

    Sends check() {
        int next = 0;
        int unseen = 0;
        for (Request request : end.requests) {
            if (end.resumes.contains(request.index)) {
                failure = null;
            }
            PolledCompletion done = next < end.sent.size() ? end.sent.get(next) : null;
            if (failure != null) {
                assertThat(done).as("flush of %s", request).isNotNull();
                assertThat(done.id()).as("id of the flush of %s", request).isEqualTo(request.id);
                assertThat(done.isFlushed())
                        .as("%s, which follows a failure, is flushed: %s", request, done)
                        .isTrue();
                next++;
            } else if (done != null && done.id() == request.id) {
                next++;
                if (done.isGood()) {
                    checkSuccess(request, done);
                }
                while (unseen <= request.index) {
                    ended[unseen++] = done.step();
                }
                if (done.isGood()) {
                    succeed(request);
                } else {
                    fail(request, done);
                }
            } else {
                assertThat(request.signaled)
                        .as("%s has no completion but %s", request, done)
                        .isFalse();
                succeed(request);
            }
        }
        assertThat(next).as("completions of sends of %s", end).isEqualTo(end.sent.size());
        return this;
    }

    private void succeed(Request request) {
        request.succeeded = true;
        succeeded += failures.isEmpty() ? 1 : 0;
    }

    private void fail(Request request, PolledCompletion done) {
        failure = done;
        failures.put(request, done);
    }

    private void checkSuccess(Request request, PolledCompletion done) {
        assertThat(request.signaled)
                .as("%s completed though it is not signaled", request)
                .isTrue();
        assertThat(done.opcode()).as("opcode of %s", request).isEqualTo(request.opcode.completionOpcode());
        if (request.opcode == SendOpcode.RDMA_READ || request.opcode.isAtomic()) {
            assertThat(done.bytes()).as("bytes of %s", request).isEqualTo(request.length);
        }
        assertThat(done.hasImmediate()).as("immediate data of %s", request).isFalse();
    }

    /** Checks that the successful requests could succeed, and that the failed one had a reason. */
    void checkReasons() {
        for (Request request : end.requests) {
            if (request.succeeded) {
                assertThat(request.mustFail).as("%s succeeded", request).isEmpty();
                assertThat(end.type() != QpType.RC || couldSucceed(request, ended[request.index]))
                        .as("%s succeeded though no key was good", request)
                        .isTrue();
            }
        }
        failures.forEach((request, done) -> {
            if (done.isFlushed()) {
                assertThat(wasEnded())
                        .as("%s was flushed, so the program or the peer ended %s", request, end)
                        .isTrue();
            } else {
                assertThat(mayFail(request, done))
                        .as("%s of %s failed with %s", request, end, done)
                        .isTrue();
            }
        });
    }

    private static boolean couldSucceed(Request request, long to) {
        Grant grant = request.grant;
        if (grant != null && request.length > 0 && !grant.maybeGood(request.posted, to)) {
            return false;
        }
        Grant victim = request.ends;
        return victim == null || victim.maybeGood(request.posted, to);
    }

    /** Returns whether the program, or a refusal of the peer's requests, moved the queue pair to ERR. */
    private boolean wasEnded() {
        return end.killed || (end.isConnected() && world.wire().to(end.peer()).fatalNaks() > 0);
    }

    private boolean mayFail(Request request, PolledCompletion done) {
        WorkCompletionStatus status = done.status();
        if (request.mayFail.contains(status) || request.mustFail.contains(status)) {
            return true;
        }
        if (!end.isConnected()) {
            return false;
        }
        Wire.Traffic answers = world.wire().to(end);
        return switch (status) {
            case REM_ACCESS_ERR -> answers.naks(2) > 0 && mayBeRefused(request, done.step());
            case REM_INV_REQ_ERR -> answers.naks(1) > 0 && receiveEnded(request, WorkCompletionStatus.LOC_LEN_ERR);
            case REM_OP_ERR ->
                answers.naks(3) > 0
                        && (receiveEnded(request, WorkCompletionStatus.LOC_PROT_ERR)
                                || (receiveEnded(request, WorkCompletionStatus.LOC_QP_OP_ERR)
                                        && mayFindNothingToInvalidate(request, done.step())));
            case RETRY_EXC_ERR -> triesOf(request) > world.setting().retries();
            case RNR_RETRY_EXC_ERR ->
                !world.setting().rnrForever()
                        && request.consumesReceive()
                        && answers.rnrNaks(psnOf(request), request.packets(world.setting()))
                                > world.setting().rnrRetries();
            default -> false;
        };
    }

    private static boolean mayBeRefused(Request request, long to) {
        Grant grant = request.grant;
        return grant != null && request.length > 0 && !grant.surelyGood(request.posted, to, request);
    }

    private static boolean mayFindNothingToInvalidate(Request request, long to) {
        Grant victim = request.ends;
        return victim != null && !request.opcode.isLocal() && !victim.surelyGood(request.posted, to, request);
    }

    /** Returns whether the receive that a message consumed ended with a status. */
    private boolean receiveEnded(Request request, WorkCompletionStatus status) {
        int index = 0;
        for (Request message : end.messages()) {
            if (message == request) {
                return index < end.peer().received.size()
                        && end.peer().received.get(index).status() == status;
            }
            index++;
        }
        return false;
    }

    private int triesOf(Request failed) {
        return world.wire().to(end.peer()).mostSent(psnOf(failed), failed.packets(world.setting()));
    }

    private int psnOf(Request failed) {
        int psn = end.firstPsn;
        for (Request request : end.requests) {
            if (request == failed) {
                break;
            }
            psn += request.packets(world.setting());
        }
        return psn;
    }
}
