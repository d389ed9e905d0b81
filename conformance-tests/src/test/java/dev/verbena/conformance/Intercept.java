package dev.verbena.conformance;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Objects of the SPI that behave like another but for one call: how tests make broken providers. */
final class Intercept {
    private Intercept() {}

    /** The call that was made, to be carried out or not. */
    interface Call {
        String method();

        @Nullable Object[] arguments();

        /** Carries it out with the arguments as they are now. */
        @Nullable Object proceed() throws Throwable;
    }

    /** Says what a call does instead. */
    @FunctionalInterface
    interface Rule {
        @Nullable Object apply(Call call) throws Throwable;
    }

    private record Handler(Object real, Rule rule) implements InvocationHandler {
        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
                throws Throwable {
            @Nullable Object[] arguments = given == null ? new Object[0] : given;
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = unwrapped(arguments[i]);
            }
            return rule.apply(new Made(method, arguments, real));
        }
    }

    private record Made(Method made, @Nullable Object[] arguments, Object real) implements Call {
        @Override
        public String method() {
            return made.getName();
        }

        @Override
        public @Nullable Object proceed() throws Throwable {
            try {
                return made.invoke(real, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        }
    }

    /** What a provider must get to see where it is given an object of its own. */
    private static @Nullable Object unwrapped(@Nullable Object object) {
        return object != null
                        && Proxy.isProxyClass(object.getClass())
                        && Proxy.getInvocationHandler(object) instanceof Handler handler
                ? handler.real()
                : object;
    }

    static <T> T calls(Class<T> type, T real, Rule rule) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Handler(real, rule)));
    }
}
