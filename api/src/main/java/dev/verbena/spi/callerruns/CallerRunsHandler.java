// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi.callerruns;

import dev.verbena.verbs.CompletionHandler;

/**
 * A completion handler that runs no code of the program. The thread that called the LND may run the handler itself during
 * {@link CallerRuns#endCall}.
 */
public interface CallerRunsHandler extends CompletionHandler {}
