// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

/** Help texts of options that several commands have. Each command appends the default value to the help text. */
public final class OptionTexts {
    public static final String PROVIDER =
            "The provider of the devices: sim (devices in software), or another installed one.";

    public static final String FABRIC =
            "The fabric of devices in software: in-process, or udp, which is RoCEv2 in wall time.";

    /** {@code --ib-dev}. */
    public static final String DEVICE = "The device to use.";

    /** {@code --ib-port}. */
    public static final String DEVICE_PORT = "The port of the device, from 1.";

    /** {@code --gid-idx}. */
    public static final String GID_INDEX = "The index of the local GID. Default: the best one, which doctor explains.";

    public static final String LOCAL = "The address of the device in software, which an interface of this machine has.";

    /** The {@code --peer} option of commands that create a software device. */
    public static final String PEER = "The address of the other end's device.";

    public static final String BIND = "The address at which the TCP port listens; 0.0.0.0 for all interfaces.";

    public static final String WAIT = "The time limit for the other end.";

    public static final String MTU = "The path MTU: 256, 512, 1024, 2048 or 4096.";

    /** {@code --iters}. */
    public static final String ITERATIONS = "The number of messages.";

    /** {@code --rx-depth}. */
    public static final String RECEIVE_DEPTH = "The number of posted receives.";

    public static final String GO_ON = "Continue after an error.";

    public static final String DIVERGENCES = "A file with the rules that the device is known to break.";

    private OptionTexts() {}
}
