// SPDX-License-Identifier: Apache-2.0
package dev.verbena.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.SinceTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExportsTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Checks the rules of docs/compatibility.md for packages that are exported to every module, and for their public types.
 */
class SinceTest {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final Pattern RELEASE = Pattern.compile("[1-9]\\d*\\.\\d+");

    @Test
    void everyPublicTypeNamesItsFirstRelease() throws IOException {
        Types types = types();

        assertThat(types.found).contains("dev.verbena.verbs.QueuePair", "dev.verbena.verbs.QpInitAttributes.Builder");
        assertThat(types.withoutRelease).isEmpty();
    }

    @Test
    void thePageNamesEachPackageOfTheApi() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "compatibility.md"));

        assertThat(types().exported)
                .isNotEmpty()
                .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }

    private static Types types() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> sources = Files.walk(SOURCES)) {
            List<Path> paths =
                    sources.filter(file -> file.toString().endsWith(".java")).toList();
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(paths));
            List<CompilationUnitTree> units = new ArrayList<>();
            task.parse().forEach(units::add);
            Types types = new Types(DocTrees.instance(task), exportedToEveryModule(units));
            for (CompilationUnitTree unit : units) {
                types.scan(unit, null);
            }
            return types;
        }
    }

    private static Set<String> exportedToEveryModule(List<CompilationUnitTree> units) {
        return units.stream()
                .filter(unit -> unit.getModule() != null)
                .flatMap(unit -> unit.getModule().getDirectives().stream())
                .filter(ExportsTree.class::isInstance)
                .map(ExportsTree.class::cast)
                .filter(exports -> exports.getModuleNames() == null)
                .map(exports -> exports.getPackageName().toString())
                .collect(Collectors.toSet());
    }

    private static final class Types extends TreePathScanner<@Nullable Void, @Nullable Void> {
        private final List<String> found = new ArrayList<>();
        private final List<String> withoutRelease = new ArrayList<>();
        private final DocTrees docs;
        private final Set<String> exported;

        Types(DocTrees docs, Set<String> exported) {
            this.docs = docs;
            this.exported = exported;
        }

        @Override
        public @Nullable Void visitPackage(PackageTree tree, @Nullable Void unused) {
            return null;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
            String packageName =
                    getCurrentPath().getCompilationUnit().getPackageName().toString();
            if (!exported.contains(packageName) || !isPublic(type)) {
                return null;
            }
            String name = packageName + "." + nameInPackage();
            found.add(name);
            if (release() == null) {
                withoutRelease.add(name);
            }
            // Members that are types, but not the bodies of methods.
            type.getMembers().stream().filter(ClassTree.class::isInstance).forEach(member -> scan(member, null));
            return null;
        }

        private boolean isPublic(ClassTree type) {
            Tree outer = getCurrentPath().getParentPath().getLeaf();
            boolean inInterface = outer.getKind() == Tree.Kind.INTERFACE;
            return inInterface || type.getModifiers().getFlags().contains(Modifier.PUBLIC);
        }

        private String nameInPackage() {
            String name = "";
            for (TreePath path = getCurrentPath();
                    path.getLeaf() instanceof ClassTree type;
                    path = path.getParentPath()) {
                name = name.isEmpty() ? type.getSimpleName().toString() : type.getSimpleName() + "." + name;
            }
            return name;
        }

        private @Nullable String release() {
            DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
            if (comment == null) {
                return null;
            }
            return comment.getBlockTags().stream()
                    .filter(SinceTree.class::isInstance)
                    .map(tag -> ((SinceTree) tag)
                            .getBody().stream().map(DocTree::toString).collect(Collectors.joining()))
                    .filter(release -> RELEASE.matcher(release).matches())
                    .findFirst()
                    .orElse(null);
        }
    }
}
