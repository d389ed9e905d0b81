package dev.verbena.verbs;

/**
 * A used entry of a port's GID table ({@code struct ibv_gid_entry}, {@code ibv_query_gid_table}(3); sysfs
 * {@code ports/1/gids} and {@code ports/1/gid_attrs}).
 *
 * @param port 1..255
 * @param index 0..255 and more on some devices; what {@link GlobalRoute#sgidIndex()} refers to
 * @param gid the GID
 * @param type how packets from it are wrapped
 * @param interfaceName network interface that it belongs to, empty if there is none (InfiniBand)
 */
public record GidEntry(int port, int index, Gid gid, GidType type, String interfaceName) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if port or index is out of range
     */
    public GidEntry {
        ValueChecks.inRange("port", port, 1, 0xFF, "ports count from 1");
        ValueChecks.inRange("index", index, 0, Integer.MAX_VALUE, "indexes count from 0");
    }
}
