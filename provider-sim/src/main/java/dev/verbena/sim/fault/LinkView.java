// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fault;

import dev.verbena.fault.LinkPacket;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Shows the packets of one link to the fault rules, one packet at a time. */
final class LinkView implements LinkPacket {
    private @Nullable SimPacket packet;
    private long ordinal = -1;
    private Gid source = Gid.ZERO;
    private Gid destination = Gid.ZERO;

    /**
     * Makes a packet visible to the fault rules. The caller must pass false for {@code counts} if the link's packet
     * count already includes the packet.
     */
    void show(SimPacket next, boolean counts) {
        packet = next;
        if (counts) {
            ordinal++;
        }
    }

    /**
     * Removes the reference to the packet. A fault rule that stores a reference to this {@code LinkView} cannot read the
     * packet after the rule has returned.
     */
    void hide() {
        packet = null;
    }

    private SimPacket packet() {
        SimPacket shown = packet;
        if (shown == null) {
            throw new IllegalStateException(
                    "a link rule read a packet after the rule had returned; copy the values it needs during the call");
        }
        return shown;
    }

    @Override
    public long ordinal() {
        return ordinal;
    }

    @Override
    public Gid source() {
        source = gid(source, packet().sourceHi(), packet().sourceLo());
        return source;
    }

    @Override
    public Gid destination() {
        destination = gid(destination, packet().destinationHi(), packet().destinationLo());
        return destination;
    }

    /**
     * Returns the GID with the given upper and lower halves. If {@code last} is equal to this GID, returns {@code last}. As
     * most packets of a link have the same GIDs, few {@link Gid} objects are created.
     */
    private static Gid gid(Gid last, long hi, long lo) {
        return last.high() == hi && last.low() == lo ? last : new Gid(hi, lo);
    }

    @Override
    public int opcode() {
        return packet().bth().opcode();
    }

    @Override
    public int destinationQp() {
        return packet().bth().destinationQpn();
    }

    @Override
    public int psn() {
        return packet().bth().psn();
    }

    @Override
    public MemorySegment bytes() {
        return packet().segment().asSlice(0, packet().length()).asReadOnly();
    }
}
