package dev.verbena.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads a file of YAML with one setting of a node a line, {@code peer_credits: 16}. What is wrong is told by file and line. */
final class LnetConfigFile {
    private LnetConfigFile() {}

    /**
     * Makes the settings of a file.
     *
     * @throws IllegalArgumentException if the file cannot be read, or something in it is wrong
     */
    static void read(Path file, LnetConfig config) {
        try (Reader reader = Files.newBufferedReader(file)) {
            @Nullable Node root = new Yaml(new LoaderOptions()).compose(reader);
            if (root instanceof MappingNode settings) {
                apply(file, settings, config);
            } else if (root != null) {
                throw wrong(file, root, "no settings; write one a line, such as peer_credits: 16");
            }
        } catch (MarkedYAMLException e) {
            throw new IllegalArgumentException(
                    file + ":" + (e.getProblemMark().getLine() + 1) + ": this is no YAML: " + e.getProblem(), e);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(file + ": no such file or directory", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static void apply(Path file, MappingNode settings, LnetConfig config) {
        Set<String> seen = new HashSet<>();
        for (NodeTuple setting : settings.getValue()) {
            Node name = setting.getKeyNode();
            if (!(name instanceof ScalarNode key) || !(setting.getValueNode() instanceof ScalarNode value)) {
                throw wrong(file, name, "a setting is a name and a value, such as peer_credits: 16");
            }
            if (!seen.add(key.getValue())) {
                throw wrong(file, name, key.getValue() + " is set twice");
            }
            try {
                config.set(key.getValue(), value.getValue());
            } catch (IllegalArgumentException e) {
                throw wrong(file, name, String.valueOf(e.getMessage()));
            }
        }
    }

    private static IllegalArgumentException wrong(Path file, Node at, String what) {
        return new IllegalArgumentException(file + ":" + (at.getStartMark().getLine() + 1) + ": " + what);
    }
}
