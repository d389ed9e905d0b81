// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import org.jspecify.annotations.Nullable;

/** A call of the SPI that a fault may change. */
interface Call {
    /** Interface and method, such as {@code QueuePair.modify}. */
    String name();

    /** The provider's own object. */
    Object on();

    /** The arguments, with the provider's own objects; to be changed in place. */
    @Nullable Object[] arguments();

    /** Carries it out with the arguments as they are now. */
    @Nullable Object proceed() throws Throwable;

    default boolean is(String wanted) {
        return name().equals(wanted);
    }

    default <T> T on(Class<T> type) {
        return type.cast(on());
    }

    default <T> T argument(int index, Class<T> type) {
        return type.cast(arguments()[index]);
    }

    default boolean has(int index, Class<?> type) {
        return index < arguments().length && type.isInstance(arguments()[index]);
    }

    /** Carries it out; the result is a number. */
    default int count() throws Throwable {
        return proceed() instanceof Integer number ? number : 0;
    }

    default Call through(Fault other) {
        Call call = this;
        return new Call() {
            @Override
            public String name() {
                return call.name();
            }

            @Override
            public Object on() {
                return call.on();
            }

            @Override
            public @Nullable Object[] arguments() {
                return call.arguments();
            }

            @Override
            public @Nullable Object proceed() throws Throwable {
                return other.call(call);
            }
        };
    }
}
