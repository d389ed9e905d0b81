// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import java.io.Reader;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** A YAML file of settings, each with a name and a value. Error messages contain the file name and the line number. */
final class YamlSettings {
    private record Setting(Node value, Mark mark) {}

    private final String file;
    private final Map<String, Setting> settings = new LinkedHashMap<>();

    private YamlSettings(String file) {
        this.file = file;
    }

    /** Throws {@link IllegalArgumentException} if the file cannot be read or is not a list of settings. */
    static YamlSettings read(Path file) {
        return read(file.toString(), new StringReader(SettingsFile.read(file)));
    }

    static YamlSettings read(String name, Reader text) {
        YamlSettings read = new YamlSettings(name);
        try {
            read.load(new Yaml(new LoaderOptions()).compose(text));
        } catch (MarkedYAMLException e) {
            throw read.wrong(e.getProblemMark(), "this is not YAML: " + e.getProblem());
        } catch (YAMLException e) {
            throw new IllegalArgumentException(name + ": this is not YAML: " + e.getMessage(), e);
        }
        return read;
    }

    /** Reads the settings. An empty file has no settings. */
    private void load(@Nullable Node root) {
        if (root == null) {
            return;
        }
        if (!(root instanceof MappingNode mapping)) {
            throw wrong(root.getStartMark(), "no settings; write one setting per line, 'name: value'");
        }
        for (NodeTuple tuple : mapping.getValue()) {
            Mark mark = tuple.getKeyNode().getStartMark();
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw wrong(mark, "a setting has a name and a value, 'name: value'");
            }
            if (settings.put(key.getValue(), new Setting(tuple.getValueNode(), mark)) != null) {
                throw wrong(mark, key.getValue() + " is set twice");
            }
        }
    }

    /**
     * Calls {@code known} with the name and the value of each setting as text. If {@code known} throws
     * IllegalArgumentException, the error message contains the line number of the setting in the YAML file.
     */
    void forEach(BiConsumer<String, String> known) {
        settings.forEach((name, setting) -> {
            String value = scalar(setting.value);
            try {
                known.accept(name, value);
            } catch (IllegalArgumentException e) {
                throw wrong(setting.mark, String.valueOf(e.getMessage()));
            }
        });
    }

    /** Removes the setting {@code name} and returns its value, or {@code usual} if the YAML file lacks the setting. */
    <T> T take(String name, Function<String, T> parser, T usual) {
        Setting setting = settings.remove(name);
        return setting == null ? usual : parse(name, setting.value, parser);
    }

    /**
     * Removes a setting and returns the values of the setting. The YAML file may contain a list or a single value. Returns
     * {@code usual} if the setting is missing.
     */
    <T> List<T> takeList(String name, Function<String, T> parser, List<T> usual) {
        Setting setting = settings.remove(name);
        if (setting == null) {
            return usual;
        }
        List<Node> elements =
                setting.value instanceof SequenceNode sequence ? sequence.getValue() : List.of(setting.value);
        return elements.stream().map(element -> parse(name, element, parser)).toList();
    }

    /** Throws {@link IllegalArgumentException} if the YAML file has a setting that no {@code take} method has read. */
    void requireEmpty(String what) {
        settings.forEach((name, setting) -> {
            throw wrong(setting.mark, "unknown setting '" + name + "' in " + what);
        });
    }

    private <T> T parse(String name, Node value, Function<String, T> parser) {
        String text = scalar(value);
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw wrong(value.getStartMark(), name + ": " + e.getMessage());
        }
    }

    private String scalar(Node value) {
        if (value instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw wrong(value.getStartMark(), "a setting is a name and a value, 'name: value'");
    }

    private IllegalArgumentException wrong(Mark mark, String what) {
        return new IllegalArgumentException(file + ":" + (mark.getLine() + 1) + ": " + what);
    }
}
