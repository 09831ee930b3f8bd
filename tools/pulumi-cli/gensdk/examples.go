package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/ast"
	yamlgen "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// A language into which examples are converted. Main is the name of the generated file.
type language struct {
	name, main string
	generate   yamlgen.GenerateFunc
}

var languages = []language{
	{"typescript", "index.ts", nodejs.GenerateProgram},
	{"python", "__main__.py", python.GenerateProgram},
	{"go", "main.go", gogen.GenerateProgram},
}

// convertExamples reads YAML programs by name, as JSON, and writes each of them in every language, as JSON.
func convertExamples(schemaFile string, input io.Reader, output io.Writer) error {
	pkg, err := load(schemaFile)
	if err != nil {
		return err
	}
	var programs map[string]string
	if err := json.NewDecoder(input).Decode(&programs); err != nil {
		return err
	}
	converted := map[string]map[string]string{}
	for name, program := range programs {
		if converted[name], err = convert(name, program, loader{pkg}); err != nil {
			return fmt.Errorf("example of %s: %w", name, err)
		}
	}
	encoder := json.NewEncoder(output)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(converted)
}

func convert(name, text string, packages loader) (map[string]string, error) {
	template, problems, err := pulumiyaml.LoadYAMLBytes(name, []byte(text))
	if err := firstOf(err, problems.HCL()); err != nil {
		return nil, err
	}
	converted := map[string]string{}
	for _, language := range languages {
		// Each generator gets its own copy of the program, because generators modify the program that they convert.
		program, err := bind(template, packages)
		if err != nil {
			return nil, err
		}
		files, problems, err := language.generate(program)
		if err := firstOf(err, problems); err != nil {
			return nil, fmt.Errorf("%s: %w", language.name, err)
		}
		converted[language.name] = string(bytes.TrimSpace(files[language.main]))
	}
	converted["go"] = corrected(converted["go"], packages.pkg)
	return converted, nil
}

var (
	withoutArguments = regexp.MustCompile(
		`(\w+), err := (\w+\.Get\w+)\(ctx, map\[string\]interface\{\}\{\}, nil\)\n\s+if err != nil \{\n\s+return err\n\s+\}`)
	listOfResult = regexp.MustCompile(
		`(\w+)\.ApplyT\(func\(\w+ [\w.]+\) \(\[\][\w.]+, error\) \{\n\s+return \w+(\.\w+)\.\(\[\][\w.]+\), nil\n\s+\}\)\.\(pulumi\.ArrayOutput\)`)
)

// corrected repairs what the generator of Go writes against the SDK of the same version: calls of functions without
// arguments, lists in a function's result, and functions that the SDK calls Lookup, because Get is taken by a resource.
func corrected(program string, pkg *schema.Package) string {
	program = withoutArguments.ReplaceAllString(program, "$1 := ${2}Output(ctx)")
	program = listOfResult.ReplaceAllString(program, "$1$2()")
	for _, resource := range pkg.Resources {
		name := resource.Token[strings.LastIndex(resource.Token, ":")+1:]
		program = regexp.MustCompile(`\.Get`+name+`Output(Args)?\b`).ReplaceAllString(program, ".Lookup"+name+"Output$1")
	}
	return program
}

// bind prefers the functions that return outputs, because programs in Go can export only outputs.
func bind(template *ast.TemplateDecl, packages schema.ReferenceLoader) (*pcl.Program, error) {
	text, problems, err := yamlgen.ConvertTemplateIL(template, packages)
	if err := firstOf(err, problems); err != nil {
		return nil, err
	}
	parser := syntax.NewParser()
	if err := firstOf(parser.ParseFile(strings.NewReader(text), "program.pp"), parser.Diagnostics); err != nil {
		return nil, err
	}
	program, problems, err := pcl.BindProgram(parser.Files, packages, pcl.PreferOutputVersionedInvokes)
	return program, firstOf(err, problems)
}

// firstOf treats warnings as errors, because a converter only warns about parts that it leaves out.
func firstOf(err error, problems hcl.Diagnostics) error {
	if err == nil && len(problems) > 0 {
		return problems
	}
	return err
}

// A loader finds only a single package.
type loader struct{ pkg *schema.Package }

func (l loader) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	if name != l.pkg.Name {
		return nil, fmt.Errorf("examples use only the package %s, not %s", l.pkg.Name, name)
	}
	return l.pkg, nil
}

func (l loader) LoadPackageV2(_ context.Context, wanted *schema.PackageDescriptor) (*schema.Package, error) {
	return l.LoadPackage(wanted.Name, nil)
}

func (l loader) LoadPackageReference(name string, _ *semver.Version) (schema.PackageReference, error) {
	pkg, err := l.LoadPackage(name, nil)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (l loader) LoadPackageReferenceV2(_ context.Context, wanted *schema.PackageDescriptor) (schema.PackageReference, error) {
	return l.LoadPackageReference(wanted.Name, nil)
}
