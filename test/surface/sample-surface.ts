/** Builds a small surface, and changed copies of it. */
import type { Json, NameFacts, OperationSurface, Surface } from '../../src/surface/surface';

export const CREATE = 'POST /v1/things';

export interface Changes {
  /** Replaces fields of the operation. */
  readonly operation?: Partial<OperationSurface>;
  /** The schemas of the body and of the response. */
  readonly request?: Json;
  readonly response?: Json;
  readonly names?: Readonly<Record<string, NameFacts>>;
  /** The variants of the schema `Item`. */
  readonly items?: readonly Json[];
}

export const REQUEST = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    interval: { type: 'integer', minimum: 10, maximum: 600 },
    mode: { type: 'string', enum: ['mute', 'pause'] },
    at: { type: ['string', 'null'], format: 'date-time' },
    next: { $ref: '#/components/schemas/Node' },
  },
  required: ['name'],
  additionalProperties: false,
};

export const RESPONSE = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    health: { type: 'string', enum: ['up', 'down'] },
    type: { type: 'string', enum: ['http', 'dns'] },
    note: { type: 'string' },
    scopes: { type: 'array', items: { type: 'string', enum: ['read'] } },
    items: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
  },
  required: ['id', 'health', 'type', 'items'],
};

/** A schema that refers to itself. */
const NODE = {
  type: 'object',
  properties: { next: { $ref: '#/components/schemas/Node' }, size: { type: 'number' } },
};
const item = (type: string, field: string): Json => ({
  type: 'object',
  properties: { type: { type: 'string', enum: [type] }, [field]: { type: 'number' } },
  required: ['type', field],
});

export const ITEMS = [item('http', 'status'), item('dns', 'ttl')];
export const NAMES = {
  'setting PORT': { closed: [] },
  'metric probe_success': { same: { type: 'gauge' }, kept: ['region'] },
  'command run': { kept: ['argument 1'], closed: [] },
  'option run --tag': { same: { value: 'required' }, kept: ['a', 'b'], closed: [] },
  'exit code drift': { same: { code: 6 } },
  'error code not_found': { same: { status: 404 } },
  'webhook alert.* cause code': { same: { type: 'string' } },
};

export function buildSurface(changes: Changes = {}): Surface {
  const operation: OperationSurface = {
    operationId: 'createThing',
    scope: 'run',
    codes: ['key_taken', 'not_found'],
    parameters: {
      'query limit': { isRequired: false, schema: { type: 'integer', maximum: 500 } },
    },
    body: {
      isRequired: false,
      mediaTypes: ['application/json', 'application/merge-patch+json'],
      schema: changes.request ?? REQUEST,
    },
    responses: { '201 application/json': changes.response ?? RESPONSE, 204: null },
    ...changes.operation,
  };
  return {
    version: '1.0.0',
    releasedOn: '2027-01-01',
    operations: { [CREATE]: operation },
    schemas: { Node: NODE, Item: { oneOf: changes.items ?? ITEMS } },
    names: changes.names ?? NAMES,
  };
}

/** Returns the schema of the object with another property. If the value is undefined, removes the property. */
export function withProperty(schema: Json, name: string, value: unknown): Json {
  const { [name]: _old, ...others } = { ...(schema['properties'] as Json) };
  return { ...schema, properties: value === undefined ? others : { ...others, [name]: value } };
}
