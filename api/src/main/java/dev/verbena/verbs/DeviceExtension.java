package dev.verbena.verbs;

/** Marks an interface that {@link Device#extension(Class)} may return: something that only some devices have. */
public interface DeviceExtension {}
