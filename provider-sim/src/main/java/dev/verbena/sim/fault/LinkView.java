package dev.verbena.sim.fault;

import dev.verbena.fault.LinkPacket;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What rules see of the packets of one link, one after the other. */
final class LinkView implements LinkPacket {
    private @Nullable SimPacket packet;
    private long ordinal = -1;
    private Gid source = Gid.ZERO;
    private Gid destination = Gid.ZERO;

    /** Shows a packet, which is the next one of the link or has been counted before. */
    void show(SimPacket next, boolean counts) {
        packet = next;
        if (counts) {
            ordinal++;
        }
    }

    /** Ends the rules' access, lest one that kept the view reads what belongs to others. */
    void hide() {
        packet = null;
    }

    private SimPacket packet() {
        SimPacket shown = packet;
        if (shown == null) {
            throw new IllegalStateException(
                    "a rule looked at a packet after it had judged it; copy what is needed during the call");
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

    /** Most packets of a link have the addresses of the one before. */
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
