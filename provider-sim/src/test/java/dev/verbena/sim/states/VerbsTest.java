// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.states;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every verb, and every packet of the peer, in every state of every type (InfiniBand Architecture Specification volume
 * 1, 10.3.1, and the manual pages of the verbs).
 *
 * <ul>
 * <li>refused: the verb fails with EINVAL, a post with WRONG_STATE; busy: it fails with EBUSY
 * <li>queued: the request is accepted, without an effect yet
 * <li>sent, done, received, completed: the usual effect
 * <li>flushed: the request is accepted and completes with WR_FLUSH_ERR
 * <li>dropped: the packet fails the header checks; drained: it passes them and has no effect
 * <li>-: a reliable connection is never in SQE
 * </ul>
 */
class VerbsTest extends OneDevice {
    private static final String TABLE = """
        verb                RESET   INIT    RTR      RTS       SQD       SQE      ERR
        RC post_send        refused refused refused  sent      queued    -        flushed
        RC post_recv        refused queued  queued   queued    queued    -        flushed
        RC bind_mw          refused refused refused  done      queued    -        flushed
        RC request          dropped dropped received received  received  -        drained
        RC response         dropped dropped dropped  completed completed -        drained
        RC poll             done    done    done     done      done      -        done
        RC req_notify       done    done    done     done      done      -        done
        RC query            done    done    done     done      done      -        done
        RC attach           refused refused refused  refused   refused   -        refused
        RC destroy          done    done    done     done      done      -        done
        UC post_send        refused refused refused  sent      queued    flushed  flushed
        UC post_recv        refused queued  queued   queued    queued    queued   flushed
        UC bind_mw          refused refused refused  done      queued    flushed  flushed
        UC request          dropped dropped received received  received  received drained
        UC poll             done    done    done     done      done      done     done
        UC req_notify       done    done    done     done      done      done     done
        UC query            done    done    done     done      done      done     done
        UC attach           refused refused refused  refused   refused   refused  refused
        UC destroy          done    done    done     done      done      done     done
        UD post_send        refused refused refused  sent      queued    flushed  flushed
        UD post_recv        refused queued  queued   queued    queued    queued   flushed
        UD bind_mw          refused refused refused  refused   refused   refused  refused
        UD request          dropped dropped received received  received  received drained
        UD poll             done    done    done     done      done      done     done
        UD req_notify       done    done    done     done      done      done     done
        UD query            done    done    done     done      done      done     done
        UD attach           done    done    done     done      done      done     done
        UD destroy          done    done    done     done      done      done     done
        UD destroy_attached busy    busy    busy     busy      busy      busy     busy
        """;

    private static final Gid GROUP = Gid.parse("239.1.2.3");
    private static final long ID = 77;

    static Stream<Arguments> rows() {
        List<Arguments> all = new ArrayList<>();
        for (String line : TABLE.lines().skip(1).toList()) {
            String[] cells = line.split(" +");
            for (QpState state : QpState.values()) {
                String expected = cells[2 + state.ordinal()];
                if (!expected.equals("-")) {
                    all.add(Arguments.of(QpType.valueOf(cells[0]), cells[1], state, expected));
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{0} {1} in {2} is {3}")
    @MethodSource("rows")
    void aVerbDoesWhatItsStateAllows(QpType type, String verb, QpState state, String expected) throws VerbsException {
        Subject subject = new Subject(node, peer, type);
        boolean outstanding = verb.equals("response") && expected.equals("completed");
        if (outstanding) {
            subject.to(QpState.RTS).sendSignaled(ID);
            if (state != QpState.RTS) {
                subject.modify(state);
            }
        } else {
            subject.to(state);
        }
        peer.received();
        assertThat(act(subject, verb)).isEqualTo(expected);
        if (!verb.startsWith("destroy")) {
            assertThat(subject.endpoint().state()).isEqualTo(state);
        }
        if (expected.equals("queued") && verb.equals("post_send")) {
            subject.modify(QpState.RTS);
            assertThat(peer.received()).hasSize(1);
        }
    }

    private String act(Subject subject, String verb) throws VerbsException {
        Endpoint endpoint = subject.endpoint();
        return switch (verb) {
            case "post_send" -> afterPost(subject.send(ID), endpoint);
            case "post_recv" -> afterPost(subject.receive(ID), endpoint);
            case "bind_mw" -> bind(endpoint);
            case "request" -> request(subject);
            case "response" -> response(endpoint);
            case "poll" -> verdict(() -> assertThat(endpoint.sends()).isEmpty());
            case "req_notify" ->
                verdict(() -> endpoint.qp().sendCq().requestNotification(Notification.NEXT_COMPLETION));
            case "query" ->
                verdict(() -> assertThat(endpoint.qp().query().state()).isEqualTo(endpoint.state()));
            case "attach" -> verdict(() -> endpoint.qp().attachMulticast(GROUP, 0));
            case "destroy" -> verdict(endpoint.qp()::close);
            case "destroy_attached" -> {
                endpoint.qp().attachMulticast(GROUP, 0);
                String verdict = verdict(endpoint.qp()::close);
                endpoint.qp().detachMulticast(GROUP, 0);
                endpoint.qp().close();
                yield verdict;
            }
            default -> throw new IllegalArgumentException(verb);
        };
    }

    /** Code that may throw a verb's exceptions. */
    private interface Act {
        void run() throws VerbsException;
    }

    private static String verdict(Act act) {
        try {
            act.run();
            return "done";
        } catch (VerbsException refused) {
            if (refused.errno() == Errno.EINVAL) {
                return "refused";
            }
            return refused.errno() == Errno.EBUSY ? "busy" : refused.getMessage();
        }
    }

    private String afterPost(PostRefusal refusal, Endpoint endpoint) {
        if (refusal != PostRefusal.NONE) {
            return refusal == PostRefusal.WRONG_STATE ? "refused" : refusal.name();
        }
        return effect(endpoint);
    }

    /** Returns the effect of the posted request. */
    private String effect(Endpoint endpoint) {
        boolean sent = !peer.received().isEmpty();
        List<String> completions = new ArrayList<>(endpoint.sends());
        completions.addAll(endpoint.receives());
        if (completions.isEmpty()) {
            return sent ? "sent" : "queued";
        }
        assertThat(sent).isFalse();
        assertThat(completions).hasSize(1);
        return completions.getFirst().equals("WR_FLUSH_ERR " + ID) ? "flushed" : completions.getFirst();
    }

    private String bind(Endpoint endpoint) throws VerbsException {
        MemoryRegion region = node.domain().registerMemory(node.memory(), AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
        MemoryWindow window = node.domain().allocateMw(MemoryWindowType.TYPE_1);
        MemoryWindowBinding binding = new MemoryWindowBinding(region, 0, 10, Set.of(AccessFlag.REMOTE_READ));
        String verdict = verdict(() -> endpoint.qp().bindMemoryWindow(window, binding, ID));
        if (!verdict.equals("done")) {
            return verdict;
        }
        String effect = effect(endpoint);
        return effect.equals("BIND_MW " + ID) ? "done" : effect;
    }

    private String request(Subject subject) {
        Endpoint endpoint = subject.endpoint();
        // In RESET the receive is refused, in ERR flushed.
        subject.receive(ID);
        lab.settle();
        endpoint.receives();
        return arrival(() -> subject.request(0), () -> {
            List<String> receives = endpoint.receives();
            assertThat(peer.received()).hasSize(endpoint.qp().type() == QpType.RC ? receives.size() : 0);
            return receives.isEmpty() ? "" : "received";
        });
    }

    private String response(Endpoint endpoint) {
        return arrival(
                () -> peer.acknowledges(Subject.FIRST_SENT),
                () -> endpoint.sends().equals(List.of("SEND " + ID)) ? "completed" : "");
    }

    private String arrival(Runnable packet, Supplier<String> effect) {
        long dropped = node.count(Counter.DROPPED_QP_STATE);
        long passed = node.count(Counter.RCVD_PKTS);
        packet.run();
        lab.settle();
        String seen = effect.get();
        if (!seen.isEmpty()) {
            return seen;
        }
        if (node.count(Counter.DROPPED_QP_STATE) == dropped + 1) {
            return "dropped";
        }
        return node.count(Counter.RCVD_PKTS) == passed + 1 ? "drained" : "lost";
    }
}
