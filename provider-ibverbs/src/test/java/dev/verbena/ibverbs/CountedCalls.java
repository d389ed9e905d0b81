// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.library.CFunction;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The native calls of a library. Counts the calls of the test's own thread, makes one of them or all fail, and records
 * the number of open objects of each kind.
 */
final class CountedCalls {
    private static final long ERRNO = Linker.Option.captureStateLayout().byteOffset(PathElement.groupElement("errno"));

    /** A call that destroys, and the kind of object; the calls that create are the others of these names. */
    private static final Map<String, String> DESTROYED = Map.ofEntries(
            Map.entry("freeDeviceList", "device list"),
            Map.entry("closeDevice", "context"),
            Map.entry("deallocPd", "PD"),
            Map.entry("deregMr", "MR"),
            Map.entry("deallocMw", "MW"),
            Map.entry("destroyCompChannel", "completion channel"),
            Map.entry("destroyCq", "CQ"),
            Map.entry("destroyQp", "QP"),
            Map.entry("destroySrq", "SRQ"),
            Map.entry("destroyAh", "AH"),
            Map.entry("detachMcast", "multicast membership"),
            Map.entry("destroyEventChannel", "event channel"),
            Map.entry("destroyId", "id"));

    private static final Map<String, String> CREATED = Map.ofEntries(
            Map.entry("getDeviceList", "device list"),
            Map.entry("openDevice", "context"),
            Map.entry("allocPd", "PD"),
            Map.entry("regMr", "MR"),
            Map.entry("regMrIova", "MR"),
            Map.entry("regMrIova2", "MR"),
            Map.entry("allocMw", "MW"),
            Map.entry("createCompChannel", "completion channel"),
            Map.entry("createCq", "CQ"),
            Map.entry("createQp", "QP"),
            Map.entry("createSrq", "SRQ"),
            Map.entry("createAh", "AH"),
            Map.entry("attachMcast", "multicast membership"),
            Map.entry("createEventChannel", "event channel"),
            Map.entry("createId", "id"));

    private static final Set<String> OF_THE_EVENT_THREAD =
            Set.of("poll", "read", "write", "close", "getCqEvent", "getAsyncEvent");

    private final Thread counted = Thread.currentThread();
    private final Map<String, Integer> open = new ConcurrentHashMap<>();
    private int calls;
    private int failing;
    private int errno;
    private boolean countsDestroying;
    private boolean gone;

    /** Has one of the calls fail that do not destroy. */
    void failCall(int number, int withErrno) {
        failing = number;
        errno = withErrno;
    }

    /** Has one of the calls fail that destroy, counted from now on. */
    void failDestroying(int number, int withErrno) {
        calls = 0;
        countsDestroying = true;
        failing = number;
        errno = withErrno;
    }

    /** The device is removed: each call fails with EIO and the kernel has destroyed all that was made. */
    void deviceIsGone() {
        gone = true;
    }

    int calls() {
        return calls;
    }

    /** Kinds and numbers of the objects that are open, or were destroyed more often than made. */
    Map<String, Integer> leftOver() {
        return open.entrySet().stream()
                .filter(entry -> entry.getValue() != 0)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Integer::sum, TreeMap::new));
    }

    <T> T around(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            method.setAccessible(true);
            try {
                return call(real, method, args);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        }));
    }

    private Object call(Object real, Method method, Object[] args) throws ReflectiveOperationException {
        String name = method.getName();
        CFunction function = method.getAnnotation(CFunction.class);
        boolean destroying = DESTROYED.containsKey(name);
        if (function == null
                || OF_THE_EVENT_THREAD.contains(name)
                || !Thread.currentThread().equals(counted)) {
            return method.invoke(real, args);
        }
        if (function.errno() && destroying == countsDestroying) {
            calls++;
            if (calls == failing) {
                return refusal(method, args, errno);
            }
        }
        if (destroying) {
            open.merge(DESTROYED.get(name), -1, Integer::sum);
        }
        if (gone && function.errno()) {
            return refusal(method, args, 5);
        }
        Object answer = method.invoke(real, args);
        if (CREATED.containsKey(name)) {
            open.merge(CREATED.get(name), 1, Integer::sum);
        }
        return answer;
    }

    private static Object refusal(Method method, Object[] args, int errno) {
        ((MemorySegment) args[0]).set(JAVA_INT, ERRNO, errno);
        if (method.getReturnType() == MemorySegment.class) {
            return MemorySegment.NULL;
        }
        if (method.getReturnType() == long.class) {
            return (long) -errno;
        }
        return -1;
    }
}
