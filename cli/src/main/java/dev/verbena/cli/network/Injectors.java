// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;

public final class Injectors {
    private Injectors() {}

    /** Creates a Guice injector without class generation, because class generation needs deprecated JDK methods. */
    public static Injector of(Module module) {
        System.setProperty("guice_bytecode_gen_option", "DISABLED");
        return Guice.createInjector(module);
    }
}
