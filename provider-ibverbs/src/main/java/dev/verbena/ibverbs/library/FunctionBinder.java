// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Implements the interface methods that have the annotation {@link CFunction}, by reflection, which is fast enough for the
 * control path. {@link ContextOperations} creates the method handles of the data path.
 */
public final class FunctionBinder {
    private FunctionBinder() {}

    @FunctionalInterface
    public interface Addresses {
        /** Returns empty if the library has no function of the given name. */
        Optional<MemorySegment> find(String function);
    }

    /**
     * Looks up the C functions of all methods before it returns. Throws {@link NativeLibraryException} with the function's
     * name if the library lacks a function that is not optional.
     */
    public static <T> T bind(Class<T> type, NativeLibrary library) throws NativeLibraryException {
        for (Method method : type.getDeclaredMethods()) {
            CFunction function = function(method);
            if (!function.optional()) {
                library.function(function.value());
            }
        }
        return bind(type, library.symbols()::find);
    }

    /**
     * Finds the C function of every method, and links a method at its first call, because linking is slow. A method whose C
     * function is missing throws {@link UnsupportedOperationException}.
     */
    public static <T> T bind(Class<T> type, Addresses addresses) {
        Map<Method, MemorySegment> functions = new HashMap<>();
        for (Method method : type.getDeclaredMethods()) {
            addresses
                    .find(function(method).value())
                    .filter(address -> address.address() != 0)
                    .ifPresent(address -> functions.put(method, address));
        }
        Map<Method, MethodHandle> linked = new ConcurrentHashMap<>();
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            MemorySegment address = functions.get(method);
            if (address == null) {
                return ofObject(type, proxy, method, args);
            }
            return linked.computeIfAbsent(method, first -> link(address, first, function(first)))
                    .invokeWithArguments(args);
        }));
    }

    private static CFunction function(Method method) {
        return Objects.requireNonNull(method.getAnnotation(CFunction.class), method::toString);
    }

    @SuppressWarnings("ReferenceEquality") // A proxy is equal only to itself.
    private static Object ofObject(Class<?> type, Object proxy, Method method, Object[] args) {
        return switch (method.getName()) {
            case "toString" -> type.getSimpleName();
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == args[0];
            default -> throw new UnsupportedOperationException(function(method).value() + " is not in this library");
        };
    }

    @SuppressWarnings("restricted") // The signatures are the header's.
    private static MethodHandle link(MemorySegment address, Method method, CFunction function) {
        List<MemoryLayout> arguments = new ArrayList<>();
        for (Class<?> parameter : method.getParameterTypes()) {
            arguments.add(layout(parameter));
        }
        List<Linker.Option> options = new ArrayList<>();
        if (function.errno()) {
            arguments.removeFirst();
            options.add(CallState.CAPTURE);
        }
        if (function.variadicFrom() >= 0) {
            options.add(Linker.Option.firstVariadicArg(function.variadicFrom()));
        }
        MemoryLayout[] layouts = arguments.toArray(MemoryLayout[]::new);
        FunctionDescriptor descriptor = method.getReturnType() == void.class
                ? FunctionDescriptor.ofVoid(layouts)
                : FunctionDescriptor.of(layout(method.getReturnType()), layouts);
        return Linker.nativeLinker().downcallHandle(address, descriptor, options.toArray(Linker.Option[]::new));
    }

    /**
     * Returns the C layout for a Java argument of at least the width of an {@code int}. Some ABIs require zero-extended
     * unsigned arguments, but Java would sign-extend a {@code byte}.
     */
    private static MemoryLayout layout(Class<?> type) {
        if (type == MemorySegment.class) {
            return ValueLayout.ADDRESS;
        }
        if (type == long.class) {
            return ValueLayout.JAVA_LONG;
        }
        if (type == int.class) {
            return ValueLayout.JAVA_INT;
        }
        throw new IllegalArgumentException("no C type for " + type);
    }
}
