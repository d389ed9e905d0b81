package dev.verbena.lnet.selftest;

/**
 * What a server of selftests has done since it started.
 *
 * @param session whether a console has a session
 * @param received requests
 * @param sent answers that left
 * @param failed answers that did not, and data that did not move
 * @param dropped requests that could not be read, or were on the wrong portal
 * @param expired sessions whose console fell silent
 * @param gotBytes data fetched from clients, by write tests
 * @param putBytes data sent to clients, by read tests
 * @param corrupt transfers whose data did not hold the pattern
 */
public record SelftestStatistics(
        boolean session,
        long received,
        long sent,
        long failed,
        long dropped,
        long expired,
        long gotBytes,
        long putBytes,
        long corrupt) {}
