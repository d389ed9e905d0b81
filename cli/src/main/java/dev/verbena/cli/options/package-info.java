// SPDX-License-Identifier: Apache-2.0
/** Options that several commands share, their converters and checks, and the base classes of commands with devices. */
package dev.verbena.cli.options;
