package dev.verbena.verbs;

/** Marks an interface that {@link VerbsProvider#extension(Class)} may return: something that only some providers have. */
public interface ProviderExtension {}
