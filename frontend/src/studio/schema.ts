// What may stand at a place of a case, by its JSON schema and by what is written around that place.
import { fieldsOf, valueAt, type Outline, type Path } from "./outline";

export interface Schema {
  $ref?: string; $defs?: Record<string, Schema>; type?: string; description?: string; title?: string; default?: unknown;
  const?: unknown; enum?: unknown[]; anyOf?: Schema[]; oneOf?: Schema[]; allOf?: Schema[]; properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>; additionalProperties?: boolean | Schema; items?: Schema; prefixItems?: Schema[];
  required?: string[]; examples?: unknown[]; minimum?: number; maximum?: number; exclusiveMinimum?: number; exclusiveMaximum?: number;
}

export interface FieldInfo { name: string; schema: Schema; required: boolean; owner: Schema }
export interface Choice { value: string; detail: string }

export class CaseSchema {
  constructor(private readonly root: Schema) {}

  /** The alternatives of a schema, without references. */
  private alternatives(schema: Schema, depth = 0): Schema[] {
    if (depth > 20) return [];
    if (schema.$ref) {
      const target = this.root.$defs?.[schema.$ref.replace("#/$defs/", "")];
      if (!target) return [];
      const { $ref: _, ...own } = schema;
      return this.alternatives({ ...target, ...own }, depth + 1);
    }
    const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (!choices) return [schema];
    const { anyOf: _a, oneOf: _o, allOf: _l, ...outer } = schema;
    return choices.flatMap((choice) => this.alternatives(choice, depth + 1)).map((choice) => ({ ...outer, ...choice }));
  }

  /** Alternatives for the value at `path`, as far as what is written leaves them open. */
  at(path: Path, whole: Outline): Schema[] {
    let found = this.alternatives(this.root);
    path.forEach((part, i) => {
      found = this.fitting(found, path.slice(0, i), whole)
        .flatMap((schema) => this.inner(schema, part))
        .flatMap((schema) => this.alternatives(schema));
    });
    return this.fitting(found, path, whole);
  }

  private inner(schema: Schema, part: string | number): Schema[] {
    if (typeof part === "number") {
      const item = schema.prefixItems?.[part] ?? schema.items;
      return item ? [item] : [];
    }
    const own = schema.properties?.[part];
    if (own) return [own];
    const patterns = Object.entries(schema.patternProperties ?? {}).filter(([pattern]) => new RegExp(pattern, "u").test(part));
    if (patterns.length) return patterns.map(([, value]) => value);
    return typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : [];
  }

  /** Those alternatives that agree with the fields given; all of them where none does. */
  private fitting(schemas: Schema[], path: Path, whole: Outline): Schema[] {
    const given = fieldsOf(whole, path);
    if (!given.length || schemas.length < 2) return schemas;
    const agrees = (schema: Schema) => given.every((name) => {
      const property = schema.properties?.[name];
      if (!property) return schema.patternProperties !== undefined;
      const value = valueAt(whole, [...path, name]);
      return property.const === undefined || value === undefined || value === String(property.const);
    });
    const best = schemas.filter(agrees);
    return best.length ? best : schemas.filter((schema) => schema.properties);
  }

  /** Fields that may be added at `path`. */
  fields(path: Path, whole: Outline): FieldInfo[] {
    const given = new Set(fieldsOf(whole, path));
    const found = new Map<string, FieldInfo>();
    for (const owner of this.at(path, whole)) {
      for (const [name, schema] of Object.entries(owner.properties ?? {})) {
        if (given.has(name) || found.has(name)) continue;
        found.set(name, { name, schema, required: owner.required?.includes(name) ?? false, owner });
      }
    }
    return [...found.values()];
  }

  /** Words that may stand as the value at `path`. */
  choices(path: Path, whole: Outline): Choice[] {
    const name = path.at(-1);
    const siblings = typeof name === "string" ? this.at(path.slice(0, -1), whole) : [];
    const found = new Map<string, Choice>();
    const add = (value: unknown, detail: string) => {
      if (value !== null && !found.has(String(value))) found.set(String(value), { value: String(value), detail });
    };
    // The word of a `kind` is explained by the entry that it chooses.
    for (const owner of siblings) {
      const own = owner.properties?.[String(name)];
      if (own?.const !== undefined) add(own.const, owner.description ?? "");
    }
    for (const schema of this.at(path, whole)) {
      if (schema.const !== undefined) add(schema.const, schema.description ?? "");
      for (const value of schema.enum ?? []) add(value, "");
      if (schema.type === "boolean") for (const value of [true, false]) add(value, "");
    }
    return [...found.values()];
  }

  /** What a field is, in a few lines. */
  describe(schema: Schema): string[] {
    const all = this.alternatives(schema);
    const texts = [schema.description, ...all.map((alternative) => alternative.description)];
    const lines = [...new Set(texts.filter((text): text is string => Boolean(text)).map((text) => text.split("\n\n")[0].replaceAll("\n", " ")))].slice(0, 4);
    const words = all.flatMap((alternative) => [...(alternative.enum ?? []), ...(alternative.const !== undefined ? [alternative.const] : [])]);
    if (words.length) lines.push(`One of ${words.join(", ")}`);
    const limits = all.find((a) => a.minimum !== undefined || a.exclusiveMinimum !== undefined || a.maximum !== undefined);
    if (!lines.length && limits) lines.push(`A number${limits.minimum !== undefined ? ` from ${limits.minimum}` : ""}${limits.maximum !== undefined ? ` to ${limits.maximum}` : ""}`);
    const example = all.flatMap((alternative) => alternative.examples ?? [])[0];
    if (example !== undefined) lines.push(`As in ${String(example)}`);
    if (schema.default !== undefined && schema.default !== null && typeof schema.default !== "object" && schema.default !== "") {
      lines.push(`Default ${String(schema.default)}`);
    }
    return lines;
  }

  /** Whether the value of a field goes on lines of its own. */
  nested(schema: Schema): boolean {
    return this.alternatives(schema).every((alternative) => alternative.type === "object" || alternative.type === "null");
  }
}
