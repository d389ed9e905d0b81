// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.states;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

/** The end of requests that are not executed: flushed in ERR, dropped without a completion in RESET. */
class FlushTest {
    /** A post of a program. */
    private enum Post {
        SEND,
        SEND_SIGNALED,
        RECEIVE
    }

    private static List<String> flushed(List<Long> ids) {
        return ids.stream().map(id -> "WR_FLUSH_ERR " + id).toList();
    }

    /** A queue pair that posts, and records the ids. */
    private static final class Poster {
        private final Subject subject;
        private final List<Long> sends = new ArrayList<>();
        private final List<Long> receives = new ArrayList<>();
        private long next;

        Poster(Subject subject) {
            this.subject = subject;
        }

        void post(List<Post> posts) {
            for (Post post : posts) {
                long id = next++;
                PostRefusal refusal = switch (post) {
                    case SEND -> subject.send(id);
                    case SEND_SIGNALED -> subject.sendSignaled(id);
                    case RECEIVE -> subject.receive(id);
                };
                assertThat(refusal).isEqualTo(PostRefusal.NONE);
                (post == Post.RECEIVE ? receives : sends).add(id);
            }
        }

        long marker() {
            post(List.of(Post.SEND));
            return sends.getLast();
        }
    }

    /** SQD holds the sends back, so that none is complete. */
    @Property(tries = 200)
    void inErrEverythingIsFlushedInTheOrderOfPostingSignaledOrNot(
            @ForAll QpType type,
            @ForAll @Size(max = 10) List<Post> before,
            @ForAll @Size(max = 5) List<Post> after,
            @ForAll @Size(max = 5) List<Post> later)
            throws VerbsException {
        try (Lab lab = new Lab()) {
            Node node = lab.node("sim0", "192.0.2.1");
            Subject subject = new Subject(node, lab.scriptedPeer("192.0.2.9"), type).to(QpState.SQD);
            Poster poster = new Poster(subject);
            poster.post(before);
            subject.modify(QpState.ERR);
            poster.post(after);
            lab.settle();
            poster.post(later);
            lab.settle();
            Endpoint endpoint = subject.endpoint();
            assertThat(endpoint.sends()).isEqualTo(flushed(poster.sends));
            assertThat(endpoint.receives()).isEqualTo(flushed(poster.receives));
        }
    }

    /** The way in which applications wait for the end of all requests: ERR, a marker request, and its completion. */
    @Property(tries = 100)
    void whenTheMarkerIsFlushedEverythingBeforeItIsComplete(
            @ForAll QpType type, @ForAll @Size(max = 10) List<Post> posts) throws VerbsException {
        try (Lab lab = new Lab()) {
            Node node = lab.node("sim0", "192.0.2.1");
            Subject subject = new Subject(node, lab.scriptedPeer("192.0.2.9"), type).to(QpState.RTS);
            Poster poster = new Poster(subject);
            poster.post(posts);
            // No request of a reliable connection is acknowledged; others are complete when they are sent.
            lab.settle();
            Endpoint endpoint = subject.endpoint();
            List<String> complete = endpoint.sends();
            subject.modify(QpState.ERR);
            long marker = poster.marker();
            lab.settle();
            List<String> rest = endpoint.sends();
            assertThat(rest).last().isEqualTo("WR_FLUSH_ERR " + marker);
            if (type == QpType.RC) {
                assertThat(complete).isEmpty();
                assertThat(rest).isEqualTo(flushed(poster.sends));
            } else {
                long signaled = posts.stream()
                        .filter(post -> post == Post.SEND_SIGNALED)
                        .count();
                assertThat(complete).hasSize((int) signaled).allMatch(text -> text.startsWith("SEND "));
                assertThat(rest).hasSize(1);
            }
        }
    }

    @Property(tries = 100)
    void resetDropsEverythingWithoutCompletionsAndItsSlotsAreFreeAgain(
            @ForAll QpType type, @ForAll @Size(max = 10) List<Post> posts) throws VerbsException {
        try (Lab lab = new Lab()) {
            Node node = lab.node("sim0", "192.0.2.1");
            ScriptedPeer peer = lab.scriptedPeer("192.0.2.9");
            Subject subject = new Subject(node, peer, type).to(QpState.SQD);
            new Poster(subject).post(posts);
            subject.modify(QpState.RESET);
            lab.settle();
            Endpoint endpoint = subject.endpoint();
            assertThat(endpoint.sends()).isEmpty();
            assertThat(endpoint.receives()).isEmpty();
            subject.to(QpState.SQD);
            assertThat(peer.received()).isEmpty();
            int depth = endpoint.qp().capabilities().maxSendWr();
            long taken = LongStream.range(0, depth + 1)
                    .filter(id -> subject.send(id) == PostRefusal.NONE)
                    .count();
            assertThat(taken).isEqualTo(depth);
        }
    }
}
