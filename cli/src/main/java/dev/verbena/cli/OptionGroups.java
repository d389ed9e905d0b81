// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Formats the help of each command: groups the options under headings, and appends an example. */
final class OptionGroups {
    private static final String FIRST = "Options:";

    /**
     * The headings of options, in the order in which the help of a command lists them. If an option has several names,
     * the set contains only the longest name. Options without a heading are listed before the first heading.
     */
    private static final List<Map.Entry<String, Set<String>>> GROUPS = List.of(
            Map.entry(
                    "Device:",
                    Set.of(
                            "--provider",
                            "--fabric",
                            "--ib-dev",
                            "--device",
                            "--address",
                            "--other-dev",
                            "--ib-port",
                            "--gid-idx",
                            "--gid-index",
                            "--capabilities")),
            Map.entry(
                    "Connection:",
                    Set.of(
                            "--local",
                            "--peer",
                            "--addresses",
                            "--bind",
                            "--port",
                            "--wait",
                            "--role",
                            "--listen",
                            "--secret-file",
                            "--linger",
                            "--ack-timeout",
                            "--qp-timeout",
                            "--sl",
                            "--mtu",
                            "--connection")),
            Map.entry("Faults:", Set.of("--loss", "--duplicate", "--reorder", "--corrupt")),
            Map.entry("Capture:", Set.of("--capture", "--capture-tap")),
            Map.entry(
                    "Output:",
                    Set.of("--report", "--json", "--report_gbits", "--output", "--redact", "--list", "--verbose")),
            Map.entry("Help:", Set.of("--help", "--version")));

    private static final Map<String, String> EXAMPLES = Map.ofEntries(
            Map.entry("demo", "demo --seed 7 --loss 0.05"),
            Map.entry("conformance", "conformance --rules MEM,POST-07 --report report"),
            Map.entry("lifecycles", "lifecycles --provider ibverbs -d mlx5_0 --seconds 60"),
            Map.entry("doctor", "doctor"),
            Map.entry("hca-report", "hca-report -d mlx5_0 --redact"),
            Map.entry("devices", "devices --provider ibverbs"),
            Map.entry("devinfo", "devinfo -v -d sim0"),
            Map.entry("rc-pingpong", "rc-pingpong -c 10.0.0.2"),
            Map.entry("uc-pingpong", "uc-pingpong -c 10.0.0.2"),
            Map.entry("ud-pingpong", "ud-pingpong -c 10.0.0.2"),
            Map.entry("srq-pingpong", "srq-pingpong -c -q 4 10.0.0.2"),
            Map.entry("rping", "rping -c -a 10.0.0.2 -C 100 -V"),
            Map.entry("ucmatose", "ucmatose -s 10.0.0.2"),
            Map.entry("rdma-client", "rdma-client -s 10.0.0.2"),
            Map.entry("rdma-server", "rdma-server"),
            Map.entry("lnet up", "lnet up --local 10.0.0.1"),
            Map.entry("lnet ping", "lnet ping 192.0.2.2@o2ib"),
            Map.entry("lnet put", "lnet put 192.0.2.2@o2ib FILE"),
            Map.entry("lnet get", "lnet get 192.0.2.2@o2ib FILE"),
            Map.entry("lnet selftest", "lnet selftest 192.0.2.2@o2ib"),
            Map.entry("lnet stats", "lnet stats --watch"),
            Map.entry("lnet show", "lnet show conns"),
            Map.entry("lnet simulate", "lnet simulate cluster.yaml --report cluster.html"),
            Map.entry("help", "help rping"),
            Map.entry("completion", "completion > verbena-completion.bash; source verbena-completion.bash"));

    private OptionGroups() {}

    static void addTo(CommandLine command) {
        addExample(command);
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, OptionGroups::render);
        command.getSubcommands().values().forEach(OptionGroups::addTo);
    }

    private static void addExample(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.commandListHeading("%nCommands:%n");
        String name = command.getCommandSpec().qualifiedName().replaceFirst("^verbena ", "");
        String example = name.startsWith("perftest ") ? name + " --loopback" : EXAMPLES.get(name);
        if (example != null) {
            usage.footer("", "Example: verbena " + example);
        }
    }

    private static String render(Help help) {
        StringBuilder text = new StringBuilder();
        of(help.commandSpec())
                .forEach((heading, options) -> text.append(System.lineSeparator())
                        .append(heading)
                        .append(System.lineSeparator())
                        .append(help.optionListExcludingGroups(options)));
        return text.toString();
    }

    /** Returns the command's options by heading, in the order of the headings. */
    static Map<String, List<OptionSpec>> of(CommandSpec command) {
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        groups.put(FIRST, new ArrayList<>());
        GROUPS.forEach(group -> groups.put(group.getKey(), new ArrayList<>()));
        for (OptionSpec option : command.options()) {
            if (!option.hidden()) {
                Objects.requireNonNull(groups.get(heading(option))).add(option);
            }
        }
        groups.values().removeIf(List::isEmpty);
        return groups;
    }

    private static String heading(OptionSpec option) {
        return GROUPS.stream()
                .filter(group -> group.getValue().contains(option.longestName()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(FIRST);
    }
}
