package dev.verbena.lnet;

/** What becomes of a match entry or a memory descriptor that has served its last operation. */
public enum UnlinkPolicy {
    /** It stays until it is unlinked by hand. */
    RETAIN,
    /** It is unlinked by itself. */
    UNLINK
}
