package dev.verbena.cli;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;

/** Creates injectors. */
final class Injectors {
    private Injectors() {}

    /** Creates an injector that generates no classes, because class generation needs deprecated methods of the JDK. */
    static Injector of(Module module) {
        System.setProperty("guice_bytecode_gen_option", "DISABLED");
        return Guice.createInjector(module);
    }
}
