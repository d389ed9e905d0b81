package dev.verbena.cli;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;

/** Makes injectors. */
final class Injectors {
    private Injectors() {}

    /** Makes an injector that generates no classes, since that needs methods of the JDK that are going away. */
    static Injector of(Module module) {
        System.setProperty("guice_bytecode_gen_option", "DISABLED");
        return Guice.createInjector(module);
    }
}
