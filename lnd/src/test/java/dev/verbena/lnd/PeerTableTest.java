// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.lnet.LndHost;
import dev.verbena.lnet.LndType;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.VerbsRuntime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PeerTableTest {

    private static final int ADDRESSES = 300;

    private final NetworkInterface ni = mock(NetworkInterface.class);
    private final NodeContext context = new NodeContext(
            O2ibTunables.defaults(),
            mock(VerbsRuntime.class),
            mock(ConnectionManager.class),
            mock(EventChannel.class),
            mock(LndHost.class),
            List.of(mock(Cpt.class)),
            List.of(ni));

    private Peer peer(Nid nid) {
        return new Peer(context, ni, nid);
    }

    @Property(tries = 100)
    void isAMapThatKeepsTheOrder(@ForAll long seed) {
        PeerTable table = new PeerTable();
        Random random = new Random(seed);
        Map<Nid, Peer> model = new LinkedHashMap<>();
        for (int step = 0; step < 1000; step++) {
            Nid nid = Nid.of(LndType.O2IB, random.nextInt(2), 0x0a00_0000 + random.nextInt(ADDRESSES));
            Peer known = model.get(nid);
            assertThat(table.find(nid.value())).isSameAs(known);
            if (known == null) {
                Peer peer = peer(nid);
                table.add(peer);
                model.put(nid, peer);
            } else if (random.nextInt(3) == 0) {
                table.remove(known);
                table.remove(known);
                model.remove(nid);
            }
        }
        assertThat(table.all()).containsExactlyElementsOf(model.values());
        model.values().forEach(peer -> assertThat(table.find(peer.nidValue())).isSameAs(peer));
        assertThat(table.isEmpty()).isEqualTo(model.isEmpty());
    }

    /** If many peers shared a bucket of the table, each message to one of them would search through the others. */
    @Test
    void neighboursDoNotShareABucket() {
        PeerTable table = new PeerTable();
        List<Peer> peers = new ArrayList<>();
        for (int address = 0; address < 1000; address++) {
            Peer peer = peer(Nid.of(LndType.O2IB, 0, 0x0a00_0001 + address));
            peers.add(peer);
            table.add(peer);
        }
        long behindOthers = peers.stream().filter(peer -> peer.next() != null).count();
        assertThat(behindOthers).isLessThan(500);
    }
}
