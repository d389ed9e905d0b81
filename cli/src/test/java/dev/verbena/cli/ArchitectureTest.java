// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The allowed dependencies of the modules on each other, and of the protocol engines on other classes. */
class ArchitectureTest {
    static final JavaClasses VERBENA = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            // The predefined option handles only the default directories of Maven and Gradle.
            .withImportOption(location -> !location.asURI().toString().startsWith(ownDirectory()))
            .importPackages("dev.verbena");

    private static final List<String> API =
            List.of("dev.verbena.verbs..", "dev.verbena.cm..", "dev.verbena.spi..", "dev.verbena.fault");
    private static final List<String> WIRE = List.of("dev.verbena.wire..");

    /** A module below the command line: its packages, and the packages of others that it may depend on. */
    record Room(String name, List<String> own, List<String> others) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Room> rooms() {
        return Stream.of(
                new Room("api", API, List.of()),
                new Room("fault", List.of("dev.verbena.fault.provider.."), API),
                new Room("wire", WIRE, List.of()),
                // The option for "don't fragment" and the flight recorder are extensions of the JDK.
                new Room(
                        "provider-sim",
                        List.of("dev.verbena.sim.."),
                        union(union(API, WIRE), List.of("jdk.net..", "jdk.jfr"))),
                new Room("provider-ibverbs", List.of("dev.verbena.ibverbs.."), union(API, List.of("com.ibm.disni.."))),
                new Room("disni", List.of("dev.verbena.disni.."), union(API, List.of("com.ibm.disni.."))),
                new Room("lnd", List.of("dev.verbena.lnet..", "dev.verbena.lnd.."), API),
                new Room(
                        "conformance-tests",
                        List.of("dev.verbena.conformance.."),
                        union(
                                union(API, WIRE),
                                List.of(
                                        "org.junit.jupiter.api..",
                                        "org.opentest4j..",
                                        "javax.crypto..",
                                        "javax.xml.stream.."))));
    }

    private static List<String> union(List<String> some, List<String> others) {
        return Stream.of(some, others).flatMap(List::stream).toList();
    }

    private static final List<String> EXPORTED = union(
            union(API, WIRE),
            List.of(
                    "dev.verbena.sim",
                    "dev.verbena.sim.capture",
                    "dev.verbena.sim.counters",
                    "dev.verbena.sim.fabric",
                    "dev.verbena.sim.fault",
                    "dev.verbena.sim.leak",
                    "dev.verbena.sim.profile",
                    "dev.verbena.sim.runtime",
                    "dev.verbena.sim.udp",
                    "dev.verbena.fault.provider",
                    "dev.verbena.ibverbs",
                    "dev.verbena.ibverbs.disni",
                    "dev.verbena.disni.bridge",
                    "dev.verbena.lnd",
                    "dev.verbena.lnd.wire",
                    "dev.verbena.lnet",
                    "dev.verbena.lnet.ping",
                    "dev.verbena.lnet.selftest",
                    "dev.verbena.conformance",
                    "dev.verbena.conformance.arbitraries",
                    "dev.verbena.conformance.lifecycle",
                    "dev.verbena.conformance.report",
                    "dev.verbena.conformance.rules",
                    "dev.verbena.conformance.side"));

    private static final int MOST_COMPONENTS = 6;

    /**
     * The packages with protocol code: their inputs are a packet and the time; their outputs are packets, completions and
     * the next deadline.
     */
    private static final List<String> ENGINE_NAMES = List.of(
            "dev.verbena.wire.",
            "dev.verbena.fault.",
            "dev.verbena.sim.qp.",
            "dev.verbena.sim.queue.",
            "dev.verbena.sim.cm.engine.",
            "dev.verbena.lnet.",
            "dev.verbena.lnd.engine.",
            "dev.verbena.lnd.wire.");

    private static final List<String> NO_ENGINES = List.of(
            // This class writes to a channel, but no packet waits for it.
            "dev.verbena.wire.pcapng.",
            // This check whether any thread may access a segment needs a thread as its argument.
            "dev.verbena.lnet.MemoryDescriptor");

    private static final DescribedPredicate<JavaClass> ENGINES =
            describe("protocol engines", type -> isNamed(type, ENGINE_NAMES) && !isNamed(type, NO_ENGINES));

    private static final DescribedPredicate<JavaClass> THREADS_SOCKETS_AND_CLOCKS = resideInAnyPackage(
                    "java.util.concurrent.locks..", "java.net..", "java.nio.channels..")
            .or(JavaClass.Predicates.belongToAnyOf(
                    Thread.class,
                    Random.class,
                    java.time.Clock.class,
                    java.util.Timer.class,
                    java.util.concurrent.Executor.class,
                    java.util.concurrent.ThreadLocalRandom.class,
                    java.security.SecureRandom.class))
            .as("threads, locks, sockets, clocks and unseeded randomness");

    /** Code outside the API. The types of the verbs refer to each other, as the objects of the verbs do. */
    private static final Circles CIRCLES = new Circles(
            VERBENA,
            resideInAPackage("dev.verbena..")
                    .and(DescribedPredicate.not(resideInAnyPackage(API.toArray(String[]::new)))));

    private static final int LARGEST_CIRCLE = 8;

    private static String ownDirectory() {
        return ArchitectureTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString();
    }

    private static boolean isNamed(JavaClass type, List<String> beginnings) {
        return beginnings.stream().anyMatch(type.getName()::startsWith);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rooms")
    void aModuleDependsOnlyOnTheModulesBelowIt(Room room) {
        classes()
                .that()
                .resideInAnyPackage(room.own().toArray(String[]::new))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        union(union(room.own(), room.others()), List.of("java..", "org.jspecify.annotations"))
                                .toArray(String[]::new))
                .check(VERBENA);
    }

    /** A further component of a record would break programs, so a type to which attributes may be added is a class. */
    @Test
    void noPublicRecordHasMoreThanSixComponents() {
        List<JavaClass> records = VERBENA.stream()
                .filter(resideInAnyPackage(EXPORTED.toArray(String[]::new)))
                .filter(type -> type.isRecord() && isPublic(type))
                .toList();

        assertThat(records).hasSizeGreaterThan(40);
        assertThat(records)
                .allSatisfy(type ->
                        assertThat(type.reflect().getRecordComponents()).hasSizeLessThanOrEqualTo(MOST_COMPONENTS));
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ArchitectureTest::isPublic).orElse(true);
    }

    @Test
    void noMoreThanEightClassesAllDependOnEachOther() {
        assertThat(CIRCLES.ofClasses(LARGEST_CIRCLE)).isEmpty();
    }

    @Test
    void noPackagesDependOnEachOther() {
        assertThat(CIRCLES.ofPackages()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("ENGINE_NAMES")
    void thereAreProtocolEnginesWhereTheRulesLookForThem(String name) {
        assertThat(VERBENA).anyMatch(type -> isNamed(type, List.of(name)) && ENGINES.test(type));
    }

    @Test
    void protocolEnginesAreFreeOfThreadsSocketsAndClocks() {
        noClasses()
                .that(ENGINES)
                .should()
                .dependOnClassesThat(THREADS_SOCKETS_AND_CLOCKS)
                .check(VERBENA);
    }

    @Test
    void protocolEnginesNeverAskForTheTimeOrForRandomNumbers() {
        noClasses()
                .that(ENGINES)
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(java.util.UUID.class, "randomUUID")
                .check(VERBENA);
    }

    @Test
    void onlyTheCommandLineKnowsTheInjector() {
        noClasses()
                .that(resideOutsideOfPackages("dev.verbena.cli.."))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.google.inject..", "jakarta.inject..")
                .check(VERBENA);
    }

    @Test
    void theToolsKnowNothingButTheSpi() {
        classes()
                .that()
                .resideInAPackage("dev.verbena.cli.tools..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(union(API, List.of("dev.verbena.cli.tools..", "java..", "org.jspecify.annotations"))
                        .toArray(String[]::new))
                .check(VERBENA);
    }

    @Test
    void onlyTheNativeProviderAndTwoClassesCallNativeCode() {
        List<String> others = List.of("dev.verbena.sim.udp.SocketCalls", "dev.verbena.conformance.side.PageRemoval");
        noClasses()
                .that(resideOutsideOfPackages("dev.verbena.ibverbs.."))
                .and(describe("are not these two", type -> !isNamed(type, others)))
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(java.lang.foreign.Linker.class, java.lang.foreign.SymbolLookup.class)
                .check(VERBENA);
    }

    @Test
    void disniIsCalledInOnePackageForEachDirection() {
        noClasses()
                .that(resideOutsideOfPackages("dev.verbena.ibverbs.disni", "dev.verbena.disni.bridge"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.ibm.disni..")
                .check(VERBENA);
    }

    @Test
    void onlyTheCommandLinePrints() {
        noClasses()
                .that(resideOutsideOfPackages("dev.verbena.cli..", "dev.verbena.benchmarks.."))
                .should(ACCESS_STANDARD_STREAMS)
                .check(VERBENA);
    }
}
