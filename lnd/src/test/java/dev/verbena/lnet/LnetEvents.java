package dev.verbena.lnet;

/** Makes events, which outside of tests only LNet does. */
public final class LnetEvents {
    private LnetEvents() {}

    /** An event of a SEND from a node to itself. */
    public static LnetEvent sent(MemoryDescriptor md, ProcessId self, int portal, long matchBits) {
        return new LnetEvent(LnetEventType.SEND, md, null, self, self, portal, matchBits, 0, 0, 0, 0, 0, false);
    }
}
