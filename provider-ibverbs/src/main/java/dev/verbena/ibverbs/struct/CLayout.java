// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.UnionLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Lays out a structure like C compilers on Linux: aligns each member, and adds padding after the last member. */
final class CLayout {
    private static final int MUTEX = mutexSize(
            System.getProperty("os.arch", ""),
            Linker.nativeLinker().defaultLookup().find("gnu_get_libc_version").isPresent());

    /** The size of {@code pthread_cond_t} in bytes in glibc and musl on 64-bit systems. */
    private static final int CONDITION = 48;

    private CLayout() {}

    /** Returns the size of {@code pthread_mutex_t} in bytes on 64-bit systems. */
    static int mutexSize(String architecture, boolean glibc) {
        return glibc && architecture.equals("aarch64") ? 48 : 40;
    }

    static MemoryLayout mutex(String name) {
        return union(name, bytes("bytes", MUTEX), int64("align"));
    }

    static MemoryLayout condition(String name) {
        return union(name, bytes("bytes", CONDITION), int64("align"));
    }

    static MemoryLayout pointer(String name) {
        return ValueLayout.ADDRESS.withName(name);
    }

    static MemoryLayout int64(String name) {
        return ValueLayout.JAVA_LONG.withName(name);
    }

    static MemoryLayout int32(String name) {
        return ValueLayout.JAVA_INT.withName(name);
    }

    static MemoryLayout int16(String name) {
        return ValueLayout.JAVA_SHORT.withName(name);
    }

    static MemoryLayout int8(String name) {
        return ValueLayout.JAVA_BYTE.withName(name);
    }

    static MemoryLayout bytes(String name, long count) {
        return MemoryLayout.sequenceLayout(count, ValueLayout.JAVA_BYTE).withName(name);
    }

    /** {@code union ibv_gid}: 16 bytes, aligned to 8 bytes, because one member of the union contains 64-bit numbers. */
    static MemoryLayout gid(String name) {
        return MemoryLayout.sequenceLayout(2, ValueLayout.JAVA_LONG).withName(name);
    }

    /** Returns a structure with padding between its members and after the last member. */
    static StructLayout struct(String name, MemoryLayout... members) {
        List<MemoryLayout> padded = new ArrayList<>();
        long size = 0;
        long alignment = 1;
        for (MemoryLayout member : members) {
            size = pad(padded, size, member.byteAlignment());
            padded.add(member);
            size += member.byteSize();
            alignment = Math.max(alignment, member.byteAlignment());
        }
        pad(padded, size, alignment);
        return MemoryLayout.structLayout(padded.toArray(MemoryLayout[]::new)).withName(name);
    }

    /** Returns the layout of a structure that begins with the members of another structure, followed by further members. */
    static StructLayout extending(StructLayout head, String name, MemoryLayout... further) {
        return struct(
                name,
                Stream.concat(
                                head.memberLayouts().stream().filter(member -> !(member instanceof PaddingLayout)),
                                Stream.of(further))
                        .toArray(MemoryLayout[]::new));
    }

    /** Returns a union layout without padding at its end. {@link #struct} adds padding after a union in a structure. */
    static UnionLayout union(String name, MemoryLayout... members) {
        return MemoryLayout.unionLayout(members).withName(name);
    }

    private static long pad(List<MemoryLayout> members, long size, long alignment) {
        long missing = -size & (alignment - 1);
        if (missing > 0) {
            members.add(MemoryLayout.paddingLayout(missing));
        }
        return size + missing;
    }

    /** Returns the byte offset of a member. For example, "wr", "rdma", "rkey" select the member {@code wr.rdma.rkey}. */
    static long offset(MemoryLayout layout, String... steps) {
        PathElement[] path = new PathElement[steps.length];
        for (int i = 0; i < steps.length; i++) {
            path[i] = PathElement.groupElement(steps[i]);
        }
        return layout.byteOffset(path);
    }
}
