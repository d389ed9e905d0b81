// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Circles: the largest sets of classes, or of packages, in which each member depends on each other member, also through others. */
final class Circles {
    /** The classes that each class depends on. A nested class counts with its outermost class. */
    private final Map<String, Set<String>> classes = new TreeMap<>();

    Circles(Iterable<JavaClass> all, Predicate<JavaClass> counts) {
        for (JavaClass type : all) {
            if (counts.test(type)) {
                type.getDirectDependenciesFromSelf().stream()
                        .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                        .filter(counts)
                        .forEach(target -> classes.computeIfAbsent(outermost(type.getName()), _ -> new TreeSet<>())
                                .add(outermost(target.getName())));
            }
        }
    }

    /** The circles of more than this number of classes, each as its dependencies. */
    List<Set<String>> ofClasses(int most) {
        return find(UnaryOperator.identity(), most);
    }

    /** The circles of packages, each as the dependencies of classes that close it. */
    List<Set<String>> ofPackages() {
        return find(Circles::packageOf, 1);
    }

    private List<Set<String>> find(UnaryOperator<String> group, int most) {
        Map<String, Set<String>> forward = new TreeMap<>();
        Map<String, Set<String>> backward = new TreeMap<>();
        forEach((from, to) -> {
            forward.computeIfAbsent(group.apply(from), _ -> new TreeSet<>()).add(group.apply(to));
            backward.computeIfAbsent(group.apply(to), _ -> new TreeSet<>()).add(group.apply(from));
        });
        List<Set<String>> found = new ArrayList<>();
        Set<String> rest = new TreeSet<>(forward.keySet());
        while (!rest.isEmpty()) {
            String any = rest.iterator().next();
            Set<String> circle = reached(forward, any);
            circle.retainAll(reached(backward, any));
            rest.removeAll(circle);
            if (circle.size() > most) {
                found.add(within(circle, group));
            }
        }
        return found;
    }

    private static Set<String> reached(Map<String, Set<String>> graph, String start) {
        Set<String> reached = new TreeSet<>(Set.of(start));
        Deque<String> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            for (String next : graph.getOrDefault(open.pop(), Set.of())) {
                if (reached.add(next)) {
                    open.push(next);
                }
            }
        }
        return reached;
    }

    private Set<String> within(Set<String> circle, UnaryOperator<String> group) {
        Set<String> found = new TreeSet<>();
        forEach((from, to) -> {
            Set<String> groups = Set.copyOf(List.of(group.apply(from), group.apply(to)));
            if (groups.size() == 2 && circle.containsAll(groups)) {
                found.add(from + " -> " + to);
            }
        });
        return found;
    }

    private void forEach(BiConsumer<String, String> dependency) {
        classes.forEach((from, targets) -> targets.forEach(to -> dependency.accept(from, to)));
    }

    private static String outermost(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private static String packageOf(String name) {
        return name.substring(0, name.lastIndexOf('.'));
    }
}
