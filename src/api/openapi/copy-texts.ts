/**
 * Copies descriptions from the fields of bodies to the same fields in responses and patches, so that each text is
 * written once. Defaults of bodies become examples of responses.
 */
import type { createDocument } from 'zod-openapi';

/** The fields of a schema or reference that this module reads. */
interface Schema {
  readonly $ref?: string | undefined;
  readonly properties?: Schemas | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly allOf?: readonly Schema[] | undefined;
  readonly items?: Schema | undefined;
  readonly additionalProperties?: Schema | boolean | undefined;
  description?: string | undefined;
  example?: unknown;
}

type Schemas = Readonly<Record<string, Schema>>;
type OpenApiDocument = ReturnType<typeof createDocument>;

/** Maps a schema to the schema that describes its fields. Needed only where the names do not show this relation. */
const SOURCES: Readonly<Record<string, string>> = {
  SavedHttpStep: 'Step',
  SavedWebSocketStep: 'WebsocketStep',
  SavedSharedTls: 'ScenarioTls',
};

/**
 * Gives each field without a description the description of the same field in the body. `Scenario`, `ListedScenario`
 * and `ScenarioPatch` use the texts of `ScenarioBody`, and `SavedAuth` uses the texts of `Auth`. Only patches keep the
 * sentence about the default, because null in a patch restores the default. Changes the document.
 */
export function copyTexts({ components }: OpenApiDocument): void {
  const schemas: Schemas = components?.schemas ?? {};
  for (const [name, schema] of Object.entries(schemas)) {
    const source = findSource(name, schemas);
    if (source !== undefined && source !== schema)
      fill(schema, source, { schemas, hasDefaults: name.endsWith('Patch') });
  }
}

function findSource(name: string, schemas: Schemas): Schema | undefined {
  const whole = name.replace(/Patch$/, '');
  const stem = whole.replace(/^(?:Listed|Saved|New)/, '');
  return schemas[SOURCES[name] ?? `${whole}Body`] ?? schemas[`${stem}Body`] ?? schemas[stem];
}

interface Context {
  readonly schemas: Schemas;
  readonly hasDefaults: boolean;
}

function fill(target: Schema, source: Schema, context: Context): void {
  const sources = listObjects(source, context.schemas);
  for (const object of listObjects(target, {})) {
    for (const [name, field] of Object.entries(object.properties ?? {})) {
      const found = sources.flatMap(({ properties = {} }) => properties[name] ?? []);
      const [text] = found.flatMap((each) => readText(each, context));
      if (text !== undefined && !isDescribed(field)) field.description = text;
      const [value] = found.flatMap(readDefault);
      if (value !== undefined && !context.hasDefaults) field.example ??= value;
      for (const each of found) fill(field, each, context);
    }
  }
}

/** Parses the default from the last words of a description. Finds only texts, numbers and booleans. */
function readDefault({ description = '' }: Schema): readonly unknown[] {
  const [, text] = /(?:^|\. )Default: (true|false|\d+|"[^"]+")$/.exec(description) ?? [];
  return text === undefined ? [] : [JSON.parse(text)];
}

/** Lists the objects in a schema, its variants, lists and maps. Follows references to `schemas`. */
function listObjects(schema: Schema, schemas: Schemas): readonly Schema[] {
  const referred = schemas[readName(schema)];
  if (referred !== undefined) return listObjects(referred, schemas);
  const { anyOf = [], oneOf = [], allOf = [], items, additionalProperties, properties } = schema;
  const parts = [
    ...anyOf,
    ...oneOf,
    ...allOf,
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
  return [
    ...(properties === undefined ? [] : [schema]),
    ...parts.flatMap((part) => listObjects(part, schemas)),
  ];
}

function isDescribed({ description, anyOf: [variant] = [] }: Schema): boolean {
  return description !== undefined || variant?.description !== undefined;
}

/** Finds the description of a field. Falls back to the schema that the field refers to, then to its first variant. */
function readText(schema: Schema, context: Context): readonly string[] {
  const { description, anyOf: [variant] = [] } = schema;
  const text = description ?? context.schemas[readName(schema)]?.description ?? '';
  const shown = context.hasDefaults ? text : text.replace(/[.;]? ?[Dd]efault: .*$/, '');
  if (shown !== '') return [shown];
  return variant === undefined ? [] : readText(variant, context);
}

function readName({ $ref = '' }: Schema): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}
