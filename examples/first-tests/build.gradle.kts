// SPDX-License-Identifier: Apache-2.0
// Read against Gradle's documentation (the Java plugin, platforms, JUnit Platform), and not run: the build has no Gradle.
plugins {
    java
}

val verbenaVersion = "0.1.0-SNAPSHOT"
val junitVersion = providers.gradleProperty("junit.version").getOrElse("5.14.4") // 5.14 or later

repositories {
    mavenLocal() // until there is a release
    mavenCentral()
}

java {
    toolchain {
        languageVersion = JavaLanguageVersion.of(25)
    }
}

dependencies {
    testImplementation(platform("dev.verbena:verbena-bom:$verbenaVersion"))
    testImplementation(platform("org.junit:junit-bom:$junitVersion"))
    testImplementation("dev.verbena:verbena-junit")
    testImplementation("org.junit.jupiter:junit-jupiter")
    testImplementation("org.junit.platform:junit-platform-launcher")
}

tasks.withType<JavaCompile>().configureEach {
    options.compilerArgs.add("-parameters") // the names of parameters name nodes
}

tasks.test {
    useJUnitPlatform()
    exclude("**/*\$Leaking*") // its tests must fail, and another test runs them
}
