// Gensdk writes the SDK of one language from a Pulumi package schema, or converts YAML examples to other languages, with
// Pulumi's own generators.
//
//	go run ./gensdk nodejs|python|go <schema.json> <folder>
//	go run ./gensdk examples <schema.json> < examples.json
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	var err error
	switch {
	case len(os.Args) == 3 && os.Args[1] == "examples":
		err = convertExamples(os.Args[2], os.Stdin, os.Stdout)
	case len(os.Args) == 4:
		err = writeSdk(os.Args[1], os.Args[2], os.Args[3])
	default:
		fmt.Fprintln(os.Stderr, "usage: gensdk nodejs|python|go <schema.json> <folder>, or gensdk examples <schema.json>")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gensdk:", err)
		os.Exit(1)
	}
}

func writeSdk(language, schemaFile, folder string) error {
	pkg, err := load(schemaFile)
	if err != nil {
		return err
	}
	files, err := generate(language, pkg)
	if err != nil {
		return err
	}
	fmt.Printf("%d files of the %s SDK written to %s\n", len(files), language, folder)
	return write(folder, files)
}

func load(schemaFile string) (*schema.Package, error) {
	raw, err := os.ReadFile(schemaFile)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(raw, &spec); err != nil {
		return nil, fmt.Errorf("%s: %w", schemaFile, err)
	}
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", schemaFile, err)
	}
	var problems []error
	for _, diagnostic := range diagnostics {
		problems = append(problems, fmt.Errorf("%s: %w", schemaFile, diagnostic))
	}
	if diagnostics.HasErrors() {
		return nil, errors.Join(problems...)
	}
	for _, problem := range problems {
		fmt.Fprintln(os.Stderr, "gensdk: warning:", problem)
	}
	return pkg, nil
}

func generate(language string, pkg *schema.Package) (map[string][]byte, error) {
	// The generators write this name into the first line of each file.
	author := "pulumi-" + pkg.Name
	switch language {
	case "nodejs":
		files, err := nodejs.GeneratePackage(author, pkg, nil, nil, false, nil)
		return completed(files), err
	case "python":
		return python.GeneratePackage(author, pkg, nil, nil)
	case "go":
		return gogen.GeneratePackage(author, pkg, nil)
	default:
		return nil, fmt.Errorf("no generator for %q: nodejs, python or go", language)
	}
}

var (
	classDocs       = regexp.MustCompile(`(?s)\n/\*\*\n(.*?)\n \*/\nexport class`)
	constructorDocs = regexp.MustCompile(`     \* Create a \w+ resource with the given unique name, arguments, and options\.`)
)

// completed keeps TypeScript from simplifying a union of known values and string to string, because editors would then
// suggest none of the values. It also gives constructors the text of their class, because editors show the text of the
// constructor for `new`.
func completed(files map[string][]byte) map[string][]byte {
	for name, content := range files {
		content = bytes.ReplaceAll(content, []byte("string | enums."), []byte("(string & {}) | enums."))
		if docs := classDocs.FindSubmatch(content); docs != nil {
			indented := append([]byte("    "), bytes.ReplaceAll(docs[1], []byte("\n"), []byte("\n    "))...)
			content = constructorDocs.ReplaceAllLiteral(content, indented)
		}
		files[name] = content
	}
	return files
}

func write(folder string, files map[string][]byte) error {
	for name, content := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
