// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.cli.tools.ToolException;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidSelector;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class PerftestPartsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Property
    void aWrittenQueuePairAddressIsParsed(
            @ForAll long high,
            @ForAll long low,
            @ForAll @IntRange(max = 0xFFFF) int lid,
            @ForAll @IntRange(max = 0xFF_FFFF) int qpn,
            @ForAll @IntRange(max = 0xFF_FFFF) int psn,
            @ForAll PathMtu mtu,
            @ForAll @IntRange(max = 255) int depth,
            @ForAll int rkey,
            @ForAll long address)
            throws IOException {
        PerftestPeer peer =
                new PerftestPeer(new QpEndpoint(new Gid(high, low), lid, qpn, Psn.of(psn), mtu, depth), rkey, address);
        assertThat(PerftestPeer.decode(peer.encode())).isEqualTo(peer);
    }

    @Example
    void otherTextThanAQueuePairAddressIsRefused() {
        assertThatThrownBy(() -> PerftestPeer.decode("0000:000011:626753:gid"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("0000:000011:626753:gid");
        assertThatThrownBy(() -> PerftestPeer.decode("qp 0:0:0:0:0:1000:1:::"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("1000");
    }

    @Property
    void theLastRequestIsSignaledAndNoMoreThanTheDepthAreNot(
            @ForAll @IntRange(min = 1, max = 5000) int iterations,
            @ForAll @IntRange(min = 1, max = 200) int depth,
            @ForAll @IntRange(min = 1, max = 200) int list,
            @ForAll @IntRange(min = 1, max = 200) int moderation) {
        PerftestSettings settings = settings(iterations, depth, Math.min(list, depth), Math.min(moderation, depth));
        assertThat(settings.step()).isBetween(1, depth);
        assertThat(settings.step() % settings.postList()).isZero();
        assertThat(settings.step()).isLessThanOrEqualTo(Math.max(moderation, list));
        assertThat(settings.isSignaled(settings.messages())).isTrue();
        long unsignaled = 0;
        for (long posted = settings.postList(); posted <= settings.messages(); posted += settings.postList()) {
            unsignaled = settings.isSignaled(posted) ? 0 : unsignaled + settings.postList();
            assertThat(unsignaled).isLessThan(depth);
        }
        assertThat(settings.messages()).isBetween(iterations, iterations + settings.postList() - 1);
    }

    private static PerftestSettings settings(int iterations, int depth, int list, int moderation) {
        return new PerftestSettings(
                PerftestVerb.WRITE,
                true,
                QpType.RC,
                List.of(64),
                iterations,
                Optional.empty(),
                1,
                depth,
                1,
                list,
                moderation,
                0,
                false,
                PathMtu.MTU_1024,
                GidSelector.automatic(),
                AckTimeout.ofCode(14),
                false,
                1,
                PATIENCE);
    }

    @Example
    void bandwidthIsMebibytesASecondAndTheBestPartIsThePeak() {
        BandwidthResult result = new BandwidthResult(1 << 20, 100, 1_000_000_000, 50_000_000);
        assertThat(result.row(BandwidthUnit.MEBIBYTES).trim().split("\\s+"))
                .containsExactly("1048576", "100", "200.00", "100.00", "0.000100");
        BandwidthResult both = result.plus(new BandwidthResult(1 << 20, 100, 2_000_000_000, 0));
        assertThat(both.row(BandwidthUnit.MEBIBYTES).trim().split("\\s+"))
                .containsExactly("1048576", "200", "0.00", "100.00", "0.000100");
        assertThat(result.row(BandwidthUnit.GIGABITS).trim().split("\\s+"))
                .containsExactly("1048576", "100", "1.68", "0.84", "0.000100");
        assertThat(BandwidthUnit.GIGABITS.header()).contains("BW peak[Gb/sec]    BW average[Gb/sec]");
        assertThat(result.json(BandwidthUnit.MEBIBYTES)).contains("\"BW_peak\": 200.000", "\"MsgRate\": 0.000100");
    }

    private static PeerListener listener() throws IOException {
        return new PeerListener(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static PeerLink connect(PeerListener listener) throws Exception {
        return PeerLink.connect("127.0.0.1", listener.address().getPort(), PATIENCE);
    }

    /** Both ends are in one thread: a line waits in the socket until it is read. */
    @Example
    void endsThatDisagreeSaySo() throws Exception {
        try (PeerListener listener = listener();
                PeerLink client = connect(listener)) {
            client.say(Perftest.GREETING + "a");
            try (PeerLink server = listener.accept(PATIENCE, PATIENCE)) {
                assertThat(server.hear()).isEqualTo(Perftest.GREETING + "a");
                assertThat(server.hasNews()).isFalse();
                client.say("size 2");
                assertThatThrownBy(() -> server.meet("size 4"))
                        .isInstanceOf(ToolException.class)
                        .hasMessage("the two ends have different options: 'size 4' here, 'size 2' at the other end");
                assertThat(client.hear()).isEqualTo("size 4");
            }
            assertThatThrownBy(client::hear)
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining("closed the connection");
        }
    }

    @Example
    void aClientIsServedBesideStrangersThatCameBeforeIt() throws Exception {
        try (PeerListener listener = listener();
                PeerLink silent = connect(listener);
                PeerLink foreign = connect(listener);
                PeerLink endless = connect(listener);
                PeerLink client = connect(listener)) {
            foreign.say("GET / HTTP/1.0");
            for (int i = 0; i < PeerLink.LONGEST_LINE / 8; i++) {
                endless.write("12345678");
            }
            client.say(Perftest.GREETING + "a");
            try (PeerLink server = listener.accept(PATIENCE, PATIENCE)) {
                assertThat(server.hear()).isEqualTo(Perftest.GREETING + "a");
                server.say("x".repeat(PeerLink.LONGEST_LINE));
                assertThatThrownBy(client::hear)
                        .isInstanceOf(ToolException.class)
                        .hasMessageContaining("a line of more");
            }
            assertThatThrownBy(foreign::hear)
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining("closed the connection");
            assertThat(silent.hasNews()).isFalse();
        }
    }
}
