package dev.verbena.ibverbs;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The multicast groups that an id joined, with the caller's object for each. The library keeps a number in its stead.
 */
final class IdGroups {
    private final Map<Long, Joined> joined = new HashMap<>();
    private long next = 1;

    private record Joined(InetAddress group, @Nullable Object context) {}

    /** Records a group, and returns the number to pass to the library. */
    synchronized long join(InetAddress group, @Nullable Object context) {
        joined.put(next, new Joined(group, context));
        return next++;
    }

    synchronized void forget(long number) {
        joined.remove(number);
    }

    /** Forgets a group; false if it was not joined. */
    synchronized boolean leave(InetAddress group) {
        return joined.values().removeIf(each -> each.group().equals(group));
    }

    synchronized boolean contains(InetAddress group) {
        return joined.values().stream().anyMatch(each -> each.group().equals(group));
    }

    synchronized @Nullable Object context(long number) {
        Joined found = joined.get(number);
        return found == null ? null : found.context();
    }
}
