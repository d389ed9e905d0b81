// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.ibverbs.struct.ReleaseAgreementTest.Place;
import java.io.IOException;
import java.lang.foreign.GroupLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares the size of each structure and the offset of each member with those of each installed C compiler, for the
 * installed headers and those of other releases.
 */
class CompilerAgreementTest {
    static final List<GroupLayout> LAYOUTS = List.of(
            IbvDevice.LAYOUT,
            IbvContext.LAYOUT,
            IbvDeviceAttr.LAYOUT,
            IbvPortAttr.LAYOUT,
            IbvGidEntry.LAYOUT,
            IbvPd.LAYOUT,
            IbvMr.LAYOUT,
            IbvMw.LAYOUT,
            IbvMwBindInfo.LAYOUT,
            IbvMwBind.LAYOUT,
            IbvCq.LAYOUT,
            IbvCompChannel.LAYOUT,
            IbvWc.LAYOUT,
            IbvGlobalRoute.LAYOUT,
            IbvAhAttr.LAYOUT,
            IbvSrqAttr.LAYOUT,
            IbvSrqInitAttr.LAYOUT,
            IbvModifyCqAttr.LAYOUT,
            IbvCqInitAttrEx.LAYOUT,
            IbvCqEx.LAYOUT,
            IbvEce.LAYOUT,
            IbvQpInitAttrEx.LAYOUT,
            IbvQpEx.LAYOUT,
            IbvValuesEx.LAYOUT,
            IbvDeviceAttrEx.LAYOUT,
            IbvQpCap.LAYOUT,
            IbvQpInitAttr.LAYOUT,
            IbvQpAttr.LAYOUT,
            IbvQp.LAYOUT,
            IbvSge.LAYOUT,
            IbvSendWr.LAYOUT,
            IbvRecvWr.LAYOUT,
            IbvAsyncEvent.LAYOUT,
            RdmaEventChannel.LAYOUT,
            RdmaConnParam.LAYOUT,
            RdmaUdParam.LAYOUT,
            RdmaCmJoinMcAttrEx.LAYOUT,
            RdmaCmEvent.LAYOUT,
            RdmaAddr.LAYOUT,
            RdmaRoute.LAYOUT,
            RdmaCmId.LAYOUT);

    /** Structures with a private rest: their size is not comparable. */
    private static final List<String> HEADS = List.of("ibv_cq", "ibv_cq_ex", "ibv_qp", "ibv_qp_ex");

    /** Members that headers of the oldest supported releases lack: each the last one of its structure there. */
    private static final Map<String, String> LATER = Map.of(
            "ibv_port_attr", "active_speed_ex",
            "ibv_device_attr_ex", "phys_port_cnt_ex",
            "ibv_qp_ex", "wr_atomic_write");

    /** Directories with the headers of other releases, separated by colons: each has infiniband and rdma. */
    private static final String HEADERS = System.getProperty("verbena.rdma-core.headers", "");

    @TempDir
    private Path directory;

    /** A cross compiler needs no libraries, because the compiler checks the assertions itself. */
    @ParameterizedTest
    @CsvSource({
        "cc,                        ",
        "aarch64-linux-gnu-gcc,     aarch64",
        "powerpc64le-linux-gnu-gcc, ppc64le",
        "s390x-linux-gnu-gcc,       s390x",
        "riscv64-linux-gnu-gcc,     riscv64"
    })
    void placesAreTheCompilers(String compiler, String architecture) throws IOException, InterruptedException {
        Map<String, Place> ours = ReleaseAgreementTest.places(
                architecture == null ? CLayout.mutex("mutex").byteSize() : CLayout.mutexSize(architecture, true));
        assertThat(ours).hasSizeGreaterThan(250);
        for (Path headers : headers()) {
            assumeTrue(
                    isFine(compiler, headers, ""),
                    "needs " + compiler + " and the headers: install gcc, libibverbs-dev and librdmacm-dev (Debian,"
                            + " Ubuntu) or gcc and rdma-core-devel (Fedora, RHEL)");
            Map<String, String> absent = new HashMap<>();
            for (Map.Entry<String, String> later : LATER.entrySet()) {
                String size = sizeof("((struct " + later.getKey() + " *) 0)->" + later.getValue());
                if (!isFine(compiler, headers, size + " > 0")) {
                    absent.put(later.getKey(), later.getValue());
                }
            }
            List<String> assertions = new ArrayList<>();
            ours.forEach((name, place) -> {
                String[] path = name.split(" ");
                String lacks = absent.get(path[0]);
                if (lacks == null) {
                    assertion(path[0], path[1], place).ifPresent(assertions::add);
                } else if (path[1].equals(ReleaseAgreementTest.WHOLE) && !HEADS.contains(path[0])) {
                    assertions.add(sizeWithout(
                            "struct " + path[0], ours.get(path[0] + " " + lacks).offset()));
                } else if (!path[1].equals(ReleaseAgreementTest.WHOLE) && !path[1].equals(lacks)) {
                    assertion(path[0], path[1], place).ifPresent(assertions::add);
                }
            });

            Outcome compiled = compiled(compiler, headers, assertions);

            assertThat(compiled.status())
                    .as("%s with %s: %s", compiler, headers, compiled.output())
                    .isZero();
        }
    }

    /** Returns a true expression about a place; empty for the size of a structure with a private rest. */
    private static Optional<String> assertion(String struct, String member, Place place) {
        if (member.equals(ReleaseAgreementTest.WHOLE)) {
            return HEADS.contains(struct)
                    ? Optional.empty()
                    : Optional.of(sizeof("struct " + struct) + " == " + place.size());
        }
        String offset = "(long) offsetof(struct " + struct + ", " + member + ")";
        String from = struct.equals("verbs_context") ? " - (long) offsetof(struct verbs_context, context)" : "";
        return Optional.of(offset + from + " == " + place.offset());
    }

    /** Returns the expression that a structure ends at the given offset, but for the padding of its alignment. */
    private static String sizeWithout(String struct, long end) {
        String alignment = "_Alignof(" + struct + ")";
        return sizeof(struct) + " == (" + end + " + " + alignment + " - 1) / " + alignment + " * " + alignment;
    }

    private static String sizeof(String operand) {
        return "sizeof(" + operand + ")";
    }

    /** Returns the directory of the installed headers, alone so that a cross compiler finds no others, and the given ones. */
    private List<Path> headers() throws IOException {
        Path installed = directory.resolve("installed");
        if (Files.notExists(installed)) {
            Files.createDirectory(installed);
            for (String part : List.of("infiniband", "rdma")) {
                Files.createSymbolicLink(installed.resolve(part), Path.of("/usr/include", part));
            }
        }
        return Stream.concat(
                        Stream.of(installed),
                        Stream.of(HEADERS.split(":"))
                                .filter(name -> !name.isEmpty())
                                .map(Path::of))
                .toList();
    }

    private boolean isFine(String compiler, Path headers, String expression) throws IOException, InterruptedException {
        return compiled(compiler, headers, expression.isEmpty() ? List.of() : List.of(expression))
                        .status()
                == 0;
    }

    private Outcome compiled(String compiler, Path headers, List<String> expressions)
            throws IOException, InterruptedException {
        StringBuilder source = new StringBuilder("""
                #include <infiniband/verbs.h>
                #include <rdma/rdma_cma.h>
                #include <stddef.h>
                """);
        for (String expression : expressions) {
            source.append("_Static_assert(")
                    .append(expression)
                    .append(", \"")
                    .append(expression)
                    .append("\");\n");
        }
        Path file = Files.writeString(directory.resolve("layouts.c"), source);
        return run(compiler, "-fsyntax-only", "-isystem", headers.toString(), file.toString());
    }

    private record Outcome(int status, String output) {}

    private static Outcome run(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException absent) {
            return new Outcome(127, String.valueOf(absent.getMessage()));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Outcome(process.exitValue(), output);
    }
}
