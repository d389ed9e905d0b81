package dev.verbena.sim.leak;

/** How closely to watch for objects that are never closed. The books of open objects are kept at any level. */
public enum LeakDetection {
    /** Not at all. */
    OFF,
    /** When the provider is closed, what is still open is counted and a warning logged. Costs nothing before. */
    COUNTED,
    /** The same, and each report has the stack that opened the object. Costs a stack trace for each object; for tests. */
    TRACED
}
