// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryWindowType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The rights to each byte, in the simplest form: every key is looked up anew, and nothing is cached or counted. */
final class RightsModel {
    static final int LOCAL_WRITE = AccessFlag.LOCAL_WRITE.mask();
    static final int REMOTE_READ = AccessFlag.REMOTE_READ.mask();
    static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.mask();
    static final int MW_BIND = AccessFlag.MW_BIND.mask();
    static final int ZERO_BASED = AccessFlag.ZERO_BASED.mask();

    /** An object with a key. */
    static final class Keyed {
        int key;
        int domain;
        boolean valid;
        int access;
        long start;
        long length;
        /** The index of the underlying memory, and the offset of the first byte in it. */
        int memory;

        long base;
        // For regions.
        boolean fast;
        int staged = -1;
        // For windows.
        MemoryWindowType type = MemoryWindowType.TYPE_1;
        Keyed under;
        int owner = -1;
    }

    /** One byte of one memory. */
    record Place(int memory, long offset) {}

    private final Map<Integer, Keyed> regions = new HashMap<>();
    private final Map<Integer, Keyed> windows = new HashMap<>();
    private final int memorySize;

    RightsModel(int memorySize) {
        this.memorySize = memorySize;
    }

    private static int index(int key) {
        return key >>> 8;
    }

    Keyed addRegion(int key, int domain) {
        Keyed region = new Keyed();
        region.key = key;
        region.domain = domain;
        regions.put(index(key), region);
        return region;
    }

    Keyed addWindow(int key, int domain, MemoryWindowType type) {
        Keyed window = new Keyed();
        window.key = key;
        window.domain = domain;
        window.type = type;
        windows.put(index(key), window);
        return window;
    }

    void cover(Keyed region, int key, int memory, long start, int access) {
        region.key = key;
        region.memory = memory;
        region.start = start;
        region.length = memorySize;
        region.access = access;
        region.valid = true;
    }

    boolean isBound(Keyed region) {
        return windows.values().stream().anyMatch(window -> window.valid && window.under == region);
    }

    boolean remove(Keyed region) {
        if (isBound(region)) {
            return false;
        }
        regions.remove(index(region.key));
        return true;
    }

    void removeWindow(Keyed window) {
        windows.remove(index(window.key));
    }

    /** Returns the place of an access, if it is granted. */
    Optional<Place> find(int user, int domain, int key, boolean remote, int access, long address, long bytes) {
        Keyed found = regions.get(index(key));
        if (remote && found == null) {
            found = windows.get(index(key));
        }
        if (found == null
                || !found.valid
                || found.key != key
                || found.domain != domain
                || (found.access & access) != access
                || (found.owner >= 0 && found.owner != user)) {
            return Optional.empty();
        }
        long offset = address - found.start;
        if (offset < 0 || offset + bytes > found.length) {
            return Optional.empty();
        }
        return Optional.of(new Place(found.memory, found.base + offset));
    }

    boolean bind(int user, int domain, int present, int next, int lkey, long address, long bytes, int access) {
        Keyed window = windows.get(index(present));
        if (window == null || index(next) != index(present) || window.domain != domain) {
            return false;
        }
        boolean typeTwo = window.type == MemoryWindowType.TYPE_2;
        if (typeTwo && (window.valid || window.key != present || bytes == 0)) {
            return false;
        }
        if (!typeTwo && (access & ZERO_BASED) != 0) {
            return false;
        }
        if (bytes == 0) {
            window.valid = false;
            window.key = next;
            return true;
        }
        Keyed region = regions.get(index(lkey));
        if (region == null
                || !region.valid
                || region.key != lkey
                || region.domain != domain
                || (region.access & MW_BIND) == 0
                || (region.access & ZERO_BASED) != 0
                || ((access & REMOTE_WRITE) != 0 && (region.access & LOCAL_WRITE) == 0)
                || address < region.start
                || address + bytes > region.start + region.length) {
            return false;
        }
        window.valid = true;
        window.key = next;
        window.under = region;
        window.owner = typeTwo ? user : -1;
        window.access = access;
        window.start = (access & ZERO_BASED) != 0 ? 0 : address;
        window.length = bytes;
        window.memory = region.memory;
        window.base = address - region.start;
        return true;
    }

    boolean fastRegister(int domain, int present, int next, int access) {
        Keyed region = regions.get(index(present));
        if (region == null
                || !region.fast
                || region.valid
                || region.staged < 0
                || region.domain != domain
                || index(next) != index(region.key)
                || ((access & REMOTE_WRITE) != 0 && (access & LOCAL_WRITE) == 0)
                || (access & ZERO_BASED) != 0) {
            return false;
        }
        cover(region, next, region.staged, region.start, access);
        return true;
    }

    boolean invalidate(int user, int domain, int key, boolean byPeer) {
        Keyed window = windows.get(index(key));
        if (window != null) {
            boolean allowed = window.type == MemoryWindowType.TYPE_2
                    && window.key == key
                    && window.domain == domain
                    && (window.valid ? window.owner == user : !byPeer);
            if (allowed) {
                window.valid = false;
            }
            return allowed;
        }
        Keyed region = regions.get(index(key));
        boolean allowed = region != null
                && region.fast
                && region.key == key
                && region.domain == domain
                && !isBound(region)
                && (!byPeer || (region.valid && (region.access & (REMOTE_READ | REMOTE_WRITE)) != 0));
        if (allowed) {
            region.valid = false;
        }
        return allowed;
    }
}
