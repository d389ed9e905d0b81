// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Faults of polled completions. */
final class Completions {
    private Completions() {}

    /** Converts the polled completions to those that the program gets. */
    @FunctionalInterface
    interface Change {
        List<WorkCompletion> of(CompletionQueue queue, List<WorkCompletion> found);
    }

    static Fault polled(Change change) {
        IdentityHashMap<Object, List<WorkCompletion>> batches = new IdentityHashMap<>();
        return new Fault() {
            @Override
            public @Nullable Object call(Call call) throws Throwable {
                switch (call.name()) {
                    case "CompletionQueue.poll" -> {
                        WorkCompletions batch = call.argument(0, WorkCompletions.class);
                        List<WorkCompletion> found = new ArrayList<>();
                        int count = call.count();
                        for (int i = 0; i < count; i++) {
                            found.add(copy(batch.get(i)));
                        }
                        synchronized (batches) {
                            List<WorkCompletion> changed = change.of(call.on(CompletionQueue.class), found);
                            batches.put(batch, changed);
                            return changed.size();
                        }
                    }
                    case "WorkCompletions.get" -> {
                        synchronized (batches) {
                            return Objects.requireNonNull(batches.get(call.on()))
                                    .get(call.argument(0, Integer.class));
                        }
                    }
                    default -> {
                        return call.proceed();
                    }
                }
            }
        };
    }

    /** Changes each completion that is polled; those that become null are lost. */
    static Fault each(UnaryOperator<@Nullable WorkCompletion> change) {
        return polled((queue, found) -> {
            List<WorkCompletion> changed = new ArrayList<>();
            for (WorkCompletion completion : found) {
                WorkCompletion other = change.apply(completion);
                if (other != null) {
                    changed.add(other);
                }
            }
            return changed;
        });
    }

    static Fault status(WorkCompletionStatus from, WorkCompletionStatus to) {
        return each(
                completion -> completion != null && completion.status() == from ? with(completion, to) : completion);
    }

    /** An immutable copy of a completion. */
    private static WorkCompletion copy(WorkCompletion view) {
        return of(fields(view));
    }

    private static Map<String, Object> fields(WorkCompletion completion) {
        Map<String, Object> fields = new TreeMap<>();
        for (Method getter : WorkCompletion.class.getMethods()) {
            if (!getter.isDefault()) {
                try {
                    fields.put(getter.getName(), getter.invoke(completion));
                } catch (IllegalAccessException | InvocationTargetException failed) {
                    throw new IllegalStateException(failed);
                }
            }
        }
        return fields;
    }

    static WorkCompletion of(Map<String, Object> fields) {
        return (WorkCompletion) Proxy.newProxyInstance(
                WorkCompletion.class.getClassLoader(),
                new Class<?>[] {WorkCompletion.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isSuccess" -> fields.get("status") == WorkCompletionStatus.SUCCESS;
                    case "toString" -> fields.toString();
                    default -> fields.get(method.getName());
                });
    }

    static WorkCompletion with(WorkCompletion completion, String field, Object value) {
        Map<String, Object> fields = fields(completion);
        fields.put(field, value);
        return of(fields);
    }

    static WorkCompletion with(WorkCompletion completion, WorkCompletionStatus status) {
        return with(completion, "status", status);
    }

    static boolean isReceive(WorkCompletion completion) {
        return completion.isSuccess() && completion.opcode().isReceive();
    }
}
