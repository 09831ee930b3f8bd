import { join, relative } from "node:path";
import ts from "typescript";
import type { Operation } from "../platform/contract/api";
import { root } from "./run";

/** A declaration at the top of a file, a method of a class, or a property of the object that defines a resource. */
type Unit = ts.Node;

/** The sources whose code sends requests. */
const SOURCES = /^(provider|platform\/client)\//;
/** Lists of all resources and functions. Whoever uses a list does not count as a user of everything in it. */
const LISTS = /^provider\/(resources|functions)\/list\.ts$/;

/** Finds out in the code which operations of the platform are used, directly or through other code. */
export class UsedOperations {
  readonly #checker: ts.TypeChecker;
  readonly #program: ts.Program;
  readonly #uses = new Map<Unit, { readonly operations: ReadonlySet<Operation>; readonly units: ReadonlySet<Unit> }>();
  readonly #operations: ReadonlySet<string>;

  /** @param entries Paths of the files whose imports contain all code to look at. */
  constructor(operations: readonly Operation[], entries: readonly string[]) {
    const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
    this.#program = ts.createProgram(
      entries.map((entry) => join(root, entry)),
      { ...options, incremental: false },
    );
    this.#checker = this.#program.getTypeChecker();
    this.#operations = new Set(operations);
  }

  /** Returns the operations that each element of an exported list may send, in the order of the list. */
  ofEach(list: string): ReadonlySet<Operation>[] {
    const found: ReadonlySet<Operation>[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isArrayLiteralExpression(node))
        found.push(...node.elements.map((element) => this.#reached(this.#targets(element))));
      else ts.forEachChild(node, visit);
    };
    visit(this.#file(list));
    return found;
  }

  /** Returns the operations that a file may send. */
  of(file: string): ReadonlySet<Operation> {
    return this.#reached([this.#file(file)]);
  }

  #file(path: string): ts.SourceFile {
    const file = this.#program.getSourceFile(join(root, path));
    if (!file) throw new Error(`${path} is not among the sources`);
    return file;
  }

  #reached(from: readonly Unit[]): ReadonlySet<Operation> {
    const operations = new Set<Operation>();
    const units = new Set<Unit>(from);
    for (const unit of units) {
      const uses = this.#usesOf(unit);
      for (const operation of uses.operations) operations.add(operation);
      for (const used of uses.units) units.add(used);
    }
    return operations;
  }

  #usesOf(unit: Unit) {
    const known = this.#uses.get(unit);
    if (known) return known;
    const operations = new Set<Operation>();
    const units = new Set<Unit>();
    const visit = (node: ts.Node): void => {
      if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
      if (ts.isPropertyAccessExpression(node)) {
        if (this.#isOperation(node)) operations.add(node.name.text as Operation);
        const targets = this.#targets(node);
        for (const target of targets) units.add(target);
        // `group.read` uses one part of the definition `group`, not all of it.
        if (targets.length > 0 && ts.isIdentifier(node.expression)) return;
      } else if (ts.isIdentifier(node)) {
        for (const target of this.#targets(node)) units.add(target);
      }
      ts.forEachChild(node, visit);
    };
    ts.forEachChild(unit, visit);
    const uses = { operations, units };
    this.#uses.set(unit, uses);
    return uses;
  }

  #isOperation({ expression, name }: ts.PropertyAccessExpression): boolean {
    return (
      this.#operations.has(name.text) && this.#checker.getTypeAtLocation(expression).aliasSymbol?.name === "Client"
    );
  }

  /** Returns the units to which an identifier, or the name after a dot, refers. */
  #targets(node: ts.Node): Unit[] {
    if (ts.isPropertyAccessExpression(node)) {
      const [of] = ts.isIdentifier(node.expression) ? this.#targets(node.expression) : [];
      const part = of && definitionIn(of)?.properties.find((each) => each.name?.getText() === node.name.text);
      if (part) return [part];
    }
    const at = ts.isPropertyAccessExpression(node) ? node.name : node;
    const found = this.#checker.getSymbolAtLocation(at);
    const symbol = found && found.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(found) : found;
    return (symbol?.declarations ?? []).filter(isUnit);
  }
}

function isUnit(node: ts.Node): boolean {
  const path = relative(root, node.getSourceFile().fileName);
  if (!SOURCES.test(path) || LISTS.test(path)) return false;
  if (ts.isMethodDeclaration(node) || ts.isAccessor(node)) return true;
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  return ts.isSourceFile(statement.parent) && (ts.isVariableStatement(statement) || ts.isFunctionDeclaration(node));
}

/** Returns the object literal in `export const group = resource({ … })`. */
function definitionIn(unit: Unit): ts.ObjectLiteralExpression | undefined {
  const value = ts.isVariableDeclaration(unit) ? unit.initializer : undefined;
  const [first] = value && ts.isCallExpression(value) ? value.arguments : [];
  return first && ts.isObjectLiteralExpression(first) ? first : undefined;
}
