package dev.verbena.conformance;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Objects of the SPI that behave like another but for one call: how tests make broken providers. */
final class Intercept {
    private Intercept() {}

    /** Says what a call returns instead. */
    @FunctionalInterface
    interface Rule {
        /** Given the name of the method and what the real object returned; empty to leave that as it is. */
        Optional<Object> replace(String method, @Nullable Object[] arguments, @Nullable Object result);
    }

    static <T> T calls(Class<T> type, T real, Rule rule) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object result;
                    try {
                        result = method.invoke(real, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                    return rule.replace(method.getName(), arguments, result).orElse(result);
                }));
    }
}
