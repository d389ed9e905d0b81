// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import org.jspecify.annotations.Nullable;

/**
 * A pairing heap that orders its entries by deadline, and entries with equal deadlines by insertion. Each entry is a node
 * of the heap. No method allocates, so that a timer is not lost when the JVM's heap is full. Inserting an entry takes
 * constant time, and removing an entry takes amortized logarithmic time. This class is not thread-safe.
 *
 * @param <E> the type of the entries
 */
public final class DeadlineHeap<E extends DeadlineHeap.Entry> {
    private @Nullable Entry root;
    private int size;
    private long puts;

    /** Makes an empty heap. */
    public DeadlineHeap() {}

    /** An object with a deadline; it may be in at most one {@code DeadlineHeap}. */
    public abstract static class Entry {
        private @Nullable Entry firstChild;
        private @Nullable Entry nextSibling;

        /** The parent of a first child, or the preceding sibling of a later child; null for the root. */
        private @Nullable Entry previous;

        private boolean present;
        private long deadline;
        private long sequence;

        /** Makes an entry of a heap of deadlines; the entry is in no heap at first. */
        protected Entry() {}

        /**
         * {@return the deadline that the last {@link DeadlineHeap#put} set, in nanoseconds of the runtime's clock} Removing
         * the entry from the heap does not change the deadline.
         */
        public final long deadline() {
            return deadline;
        }

        private boolean before(Entry other) {
            return deadline != other.deadline ? deadline < other.deadline : sequence < other.sequence;
        }
    }

    /**
     * Adds an entry to this heap of deadlines, after all entries with the same deadline. If this heap already has the entry,
     * the entry is moved.
     *
     * @param entry the entry that this call adds to the heap or moves in the heap
     * @param deadline the deadline, in nanoseconds of the runtime's clock
     */
    public void put(E entry, long deadline) {
        remove(entry);
        Entry added = entry;
        added.present = true;
        added.deadline = deadline;
        added.sequence = puts++;
        Entry first = root;
        root = first == null ? added : meld(first, added);
        size++;
    }

    /**
     * Removes an entry from this heap of deadlines, if the heap contains the entry.
     *
     * @param entry the entry that this call removes
     */
    public void remove(E entry) {
        Entry removed = entry;
        if (removed.present) {
            takeOut(removed);
        }
    }

    private void takeOut(Entry entry) {
        Entry previous = entry.previous;
        Entry next = entry.nextSibling;
        @Nullable Entry children = meldAll(entry.firstChild);
        entry.firstChild = null;
        entry.nextSibling = null;
        entry.previous = null;
        entry.present = false;
        size--;
        if (previous == null) {
            root = children;
            return;
        }
        if (entry.equals(previous.firstChild)) {
            previous.firstChild = next;
        } else {
            previous.nextSibling = next;
        }
        if (next != null) {
            next.previous = previous;
        }
        Entry first = root;
        if (first != null && children != null) {
            root = meld(first, children);
        }
    }

    /** {@return the entry with the earliest deadline, which stays in the heap, or null if the heap is empty} */
    @SuppressWarnings("unchecked")
    public @Nullable E peek() {
        return (E) root;
    }

    int size() {
        return size;
    }

    void clear() {
        for (Entry first = root; first != null; first = root) {
            takeOut(first);
        }
    }

    /** Melds siblings into one heap. Melds neighbors in pairs first, then melds the pairs from the last to the first. */
    private static @Nullable Entry meldAll(@Nullable Entry first) {
        Entry pairs = null;
        Entry rest = first;
        while (rest != null) {
            Entry left = rest;
            Entry right = left.nextSibling;
            rest = right == null ? null : right.nextSibling;
            detach(left);
            if (right != null) {
                detach(right);
                left = meld(left, right);
            }
            left.nextSibling = pairs;
            pairs = left;
        }
        Entry all = null;
        while (pairs != null) {
            Entry pair = pairs;
            pairs = pair.nextSibling;
            detach(pair);
            all = all == null ? pair : meld(all, pair);
        }
        return all;
    }

    private static void detach(Entry entry) {
        entry.nextSibling = null;
        entry.previous = null;
    }

    private static Entry meld(Entry a, Entry b) {
        return a.before(b) ? adopt(a, b) : adopt(b, a);
    }

    private static Entry adopt(Entry parent, Entry child) {
        Entry next = parent.firstChild;
        child.nextSibling = next;
        if (next != null) {
            next.previous = child;
        }
        child.previous = parent;
        parent.firstChild = child;
        return parent;
    }
}
