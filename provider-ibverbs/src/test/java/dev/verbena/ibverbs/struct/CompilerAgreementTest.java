// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.PaddingLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the size of each structure and the offset of each member with the C compiler's, where the compiler and the
 * headers are installed.
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

    private static final String SPEED = "active_speed_ex";

    @TempDir
    private Path directory;

    @Test
    void sizesAndOffsetsAreTheCompilers() throws IOException, InterruptedException {
        Map<String, Long> ours = new TreeMap<>();
        for (GroupLayout layout : LAYOUTS) {
            String name = layout.name().orElseThrow();
            if (!HEADS.contains(name)) {
                ours.put("sizeof(struct " + name + ")", layout.byteSize());
            }
            members(name, "", layout, 0, ours);
        }
        ours.put(
                "offsetof(struct verbs_context, context) - offsetof(struct verbs_context, query_port)",
                VerbsContext.QUERY_PORT_BEFORE_CONTEXT);
        ours.put(
                "offsetof(struct verbs_context, context) - offsetof(struct verbs_context, query_device_ex)",
                VerbsContext.QUERY_DEVICE_EX_BEFORE_CONTEXT);
        ours.put(
                "offsetof(struct verbs_context, context) - offsetof(struct verbs_context, modify_cq)",
                VerbsContext.MODIFY_CQ_BEFORE_CONTEXT);
        ours.put(
                "offsetof(struct verbs_context, context) - offsetof(struct verbs_context, create_qp_ex)",
                VerbsContext.CREATE_QP_EX_BEFORE_CONTEXT);
        ours.put(
                "offsetof(struct verbs_context, context) - offsetof(struct verbs_context, create_cq_ex)",
                VerbsContext.CREATE_CQ_EX_BEFORE_CONTEXT);
        ours.put(
                "offsetof(struct verbs_context, context) - offsetof(struct verbs_context, query_rt_values)",
                VerbsContext.QUERY_RT_VALUES_BEFORE_CONTEXT);
        ours.put(
                "offsetof(struct verbs_context, context) - offsetof(struct verbs_context, sz)",
                VerbsContext.SZ_BEFORE_CONTEXT);

        assertThat(ours).hasSizeGreaterThan(250);
        requireHeaders();
        if (!compiles("sizeof(((struct ibv_port_attr *) 0)->" + SPEED + ")")) {
            // Headers before rdma-core 49: the structure ends where that member begins.
            ours.remove("offsetof(struct ibv_port_attr, " + SPEED + ")");
            ours.put("sizeof(struct ibv_port_attr)", IbvPortAttr.ACTIVE_SPEED_EX);
        }
        assertThat(compilers(ours.keySet())).isEqualTo(ours);
    }

    private static void members(String struct, String prefix, GroupLayout group, long base, Map<String, Long> into) {
        for (MemoryLayout member : group.memberLayouts()) {
            String name = member.name().orElse("");
            if (member instanceof PaddingLayout || name.matches("_compat_.*|_ops.*|align|bytes")) {
                continue;
            }
            long offset = base + group.byteOffset(PathElement.groupElement(name));
            // The second union of a send request has no name in C: its members are the request's.
            boolean unnamed = name.equals("local");
            if (!unnamed) {
                into.put("offsetof(struct " + struct + ", " + prefix + name + ")", offset);
            }
            if (member instanceof GroupLayout nested) {
                members(struct, unnamed ? prefix : prefix + name + ".", nested, offset, into);
            }
        }
    }

    private Map<String, Long> compilers(Iterable<String> expressions) throws IOException, InterruptedException {
        StringBuilder source = new StringBuilder("""
                #include <infiniband/verbs.h>
                #include <rdma/rdma_cma.h>
                #include <stdio.h>
                #include <stddef.h>
                int main(void) {
                """);
        for (String expression : expressions) {
            source.append("printf(\"%zu ")
                    .append(expression)
                    .append("\\n\", (size_t) (")
                    .append(expression);
            source.append("));\n");
        }
        Path file = Files.writeString(directory.resolve("layouts.c"), source.append("return 0; }\n"));
        Path program = directory.resolve("layouts");
        Outcome compiled = run("cc", "-o", program.toString(), file.toString());
        assertThat(compiled.status()).as(compiled.output()).isZero();
        Map<String, Long> found = new TreeMap<>();
        run(program.toString()).output().lines().forEach(line -> {
            int space = line.indexOf(' ');
            found.put(line.substring(space + 1), Long.valueOf(line.substring(0, space)));
        });
        return found;
    }

    private static void requireHeaders() throws IOException, InterruptedException {
        assumeTrue(
                isFine("-fsyntax-only", "-x", "c", "/dev/null"),
                "needs a C compiler and the headers: install gcc, libibverbs-dev and librdmacm-dev (Debian, Ubuntu) or "
                        + "gcc and rdma-core-devel (Fedora, RHEL)");
    }

    private boolean compiles(String expression) throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("probe.c"), "int probe = (int) " + expression + ";\n");
        return isFine("-fsyntax-only", file.toString());
    }

    private static boolean isFine(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("cc", "-include", "infiniband/verbs.h", "-include", "rdma/rdma_cma.h"));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new)).status() == 0;
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
