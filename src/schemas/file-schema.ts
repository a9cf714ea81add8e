/**
 * Builds the JSON Schema of the files that people keep in git. Editors use this schema. It contains the fields and
 * their limits, but not the rules that involve several fields.
 */
import { z } from 'zod';
import { alertPolicyBody, alertRouteShape } from './alert-policy';
import { alertChannelShape } from './alerts';
import { FILE_KINDS, type SetList } from './apply';
import { accountVariableEntry, environmentBody } from './environments/environment';
import { KEY_PATTERN, RESOURCE_KEY_PATTERN } from './fields';
import { hoursBody } from './hours/hours';
import { maintenanceWindowBody } from './maintenance';
import { monitorBody } from './monitor';
import { profileBody } from './profiles/profile';
import { scenarioBody } from './scenario';
import { statusPageEntry } from './status-pages/status-page';

type JsonSchema = Record<string, unknown>;

const PATH = '/v1/schema.json';

const envShape = z
  .array(
    z.union([
      z.string(),
      z.strictObject({
        name: z.string(),
        default: z.union([z.string(), z.number(), z.boolean()]).optional(),
      }),
    ]),
  )
  .meta({ description: 'Environment variables that texts may use as ${NAME}' });

const matrixShape = z
  .strictObject({
    environment: z.array(z.string().min(1)).min(1).optional(),
    region: z.array(z.string().min(1)).min(1).optional(),
  })
  .meta({ description: 'Makes one object per combination, with keys like home@staging-eu-west' });

const DOCUMENT_FIELDS = {
  $schema: z.string().optional(),
  set: z
    .string()
    .regex(KEY_PATTERN)
    .meta({
      description:
        'Name of the set. `prune` deletes only objects that apply created under this name',
    })
    .optional(),
  env: envShape.optional(),
  include: z
    .array(z.string())
    .meta({
      description:
        'Other files or folders, relative to this file and inside the folder of the first file',
    })
    .optional(),
};

const BODIES = {
  monitors: [FILE_KINDS.monitors, monitorBody.shape],
  scenarios: [FILE_KINDS.scenarios, scenarioBody.shape],
  alertChannels: [FILE_KINDS.alertChannels, alertChannelShape],
  alertPolicies: [FILE_KINDS.alertPolicies, alertPolicyBody.shape],
  alertRoutes: [FILE_KINDS.alertRoutes, alertRouteShape],
  hours: [FILE_KINDS.hours, hoursBody.shape],
  profiles: [FILE_KINDS.profiles, profileBody.shape],
  maintenanceWindows: [FILE_KINDS.maintenanceWindows, maintenanceWindowBody],
  statusPages: [FILE_KINDS.statusPages, statusPageEntry],
  variables: [FILE_KINDS.variables, accountVariableEntry],
  environments: [FILE_KINDS.environments, environmentBody],
} as const satisfies Record<SetList, readonly [string, z.ZodType]>;

/** The fields for YAML anchors. Any document may have them, and they are ignored. */
const OWN_FIELDS: JsonSchema = {
  patternProperties: { '^x-': { description: 'Ignored. May contain the targets of YAML anchors' } },
};

/** Creates the schema of one document, which is a set of lists, or a single object with its `kind`. */
export function createFileSchema(publicUrl: string): JsonSchema {
  const lists = Object.entries(BODIES).map(([list, [, shape]]) => [
    list,
    { type: 'array', items: { ...toObjectSchema(shape) } },
  ]);
  const frame = bare(z.toJSONSchema(z.strictObject(DOCUMENT_FIELDS), { io: 'input' }));
  const set = {
    ...frame,
    ...OWN_FIELDS,
    title: 'A set',
    properties: { ...readRecord(frame['properties']), ...Object.fromEntries(lists) },
  };
  const singles = Object.values(BODIES).map(([kind, shape]) =>
    toSingleSchema(kind, toObjectSchema(shape)),
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: new URL(PATH, publicUrl).href,
    title: 'Definitions of Keepwatch',
    anyOf: [set, ...singles],
  };
}

/** Creates the schema of an object as apply accepts it. The object has a key or an exported id. */
function toObjectSchema(shape: z.ZodType): JsonSchema {
  const made = bare(
    z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any', override: withVariables }),
  );
  const alternatives = made['oneOf'] ?? made['anyOf'];
  // Routes need no key, because their order identifies them. Variables need none, because they are identified by their
  // names.
  if (shape === alertRouteShape || shape === accountVariableEntry) return made;
  const isResource = shape === monitorBody.shape || shape === scenarioBody.shape;
  const complete = isResource ? withMatrix : withNames;
  if (Array.isArray(alternatives))
    return { anyOf: alternatives.map((part: unknown) => complete(readRecord(part))) };
  return complete(made);
}

/** Adds the matrix of monitors and scenarios. A matrix creates one object per combination, each with its own key. */
function withMatrix(object: JsonSchema): JsonSchema {
  const named = withNames(object);
  const properties = readRecord(named['properties']);
  const key = { ...readRecord(properties['key']), pattern: RESOURCE_KEY_PATTERN.source };
  const matrix = bare(z.toJSONSchema(matrixShape, { io: 'input' }));
  return { ...named, properties: { ...properties, key, matrix } };
}

/** Allows `${NAME}` in any text of a file, even if the text must have a certain format. */
function withVariables({ jsonSchema }: { readonly jsonSchema: JsonSchema }): void {
  if (typeof jsonSchema['pattern'] === 'string')
    jsonSchema['pattern'] = String.raw`${jsonSchema['pattern']}|\$\{`;
  delete jsonSchema['format'];
}

function withNames(object: JsonSchema): JsonSchema {
  const properties = readRecord(object['properties']);
  const key = {
    type: 'string',
    pattern: KEY_PATTERN.source,
    description: 'Identifier of the object for apply',
  };
  const named = {
    id: { type: 'string' },
    ...properties,
    key,
    ...channelNames(properties),
    ...clearableEntries(properties),
  };
  return { ...object, properties: named, anyOf: [{ required: ['key'] }, { required: ['id'] }] };
}

/** Allows null for entries, which clears a header or variable of the profile. */
function clearableEntries(properties: JsonSchema): JsonSchema {
  if (properties['profile'] === undefined) return {};
  return Object.fromEntries(
    ['headers', 'variables'].flatMap((name) => {
      const field = readRecord(properties[name]);
      const value = field['additionalProperties'];
      if (value === undefined) return [];
      return [[name, { ...field, additionalProperties: { anyOf: [value, { type: 'null' }] } }]];
    }),
  );
}

/** Allows keys of channels, because files may refer to a channel by its key. */
function channelNames({ alerts }: JsonSchema): JsonSchema {
  if (alerts === undefined) return {};
  const properties = readRecord(readRecord(alerts)['properties']);
  const items = { type: 'string', description: 'default, a type of channel, a key or an id' };
  const channels = { ...readRecord(properties['channels']), items };
  return { alerts: { ...readRecord(alerts), properties: { ...properties, channels } } };
}

function toSingleSchema(kind: string, object: JsonSchema): JsonSchema {
  const own = {
    kind: { const: kind },
    $schema: { type: 'string' },
    env: bare(z.toJSONSchema(envShape)),
  };
  const add = (part: JsonSchema): JsonSchema => ({
    ...part,
    ...OWN_FIELDS,
    properties: { ...own, ...readRecord(part['properties']) },
    required: ['kind', ...(Array.isArray(part['required']) ? part['required'] : [])],
  });
  if (object['properties'] !== undefined) return { title: kind, ...add(object) };
  const parts = Array.isArray(object['anyOf']) ? object['anyOf'] : [];
  return { title: kind, anyOf: parts.map((part: unknown) => add(readRecord(part))) };
}

/** Removes `$schema`, which is allowed only at the top of a document. */
function bare({ $schema: _schema, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function readRecord(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
