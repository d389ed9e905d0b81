// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HcaReportCommandTest {
    @TempDir
    Path folder;

    @Test
    void aFileThatExistsIsNotOverwritten() throws Exception {
        Path file = Files.writeString(folder.resolve("report.zip"), "mine");

        Cli.run("hca-report", "--provider", "sim", "-o", file.toString()).failed(2, "exists; name another file");
    }

    @Test
    void aStepThatTheReportLacksIsRefused() {
        Path file = folder.resolve("report.zip");

        Cli.run("hca-report", "--provider", "sim", "--steps", "doctor,lnett", "-o", file.toString())
                .failed(
                        2,
                        "--steps doctor,lnett names an unknown step; the steps of this report are doctor, "
                                + "devices, devinfo");
    }

    @Test
    void aPortThatNoDeviceHasIsRefused() {
        Cli.run("hca-report", "-i", "0", "-o", folder.resolve("r.zip").toString())
                .failed(2, "--ib-port 0 is not in 1..255");
    }

    @Test
    void twoMachinesNeedASecretAndDifferentRoles() {
        String file = folder.resolve("r.zip").toString();
        Cli.run("hca-report", "--listen", "127.0.0.1", "--peer", "127.0.0.1", "-o", file)
                .failed(2, "--listen is for one machine, and --peer for the other one");
        Cli.run("hca-report", "--listen", "127.0.0.1", "-o", file).failed(2, "need a secret; pass the same one");
    }
}
