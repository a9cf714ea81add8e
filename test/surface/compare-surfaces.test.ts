/**
 * Tests that the comparison reports every change that can break a program, and nothing else.
 *
 * Covers:
 * - surface/compare-schemas
 * - surface/schema-parts
 */
import { findNarrowings } from '../../src/surface/compare-surfaces';
import {
  buildSurface,
  type Changes,
  CREATE,
  ITEMS,
  NAMES,
  REQUEST,
  RESPONSE,
  withProperty,
} from './sample-surface';

const TODAY = '2027-06-01';
const released = buildSurface();

function compare(changes: Changes): readonly string[] {
  const current = buildSurface(changes);
  return findNarrowings({ released, current, today: TODAY }).map(
    ({ at, change }) => `${at}: ${change}`,
  );
}

const body = (name: string, value: unknown) => ({ request: withProperty(REQUEST, name, value) });
const response = (name: string, value: unknown) => ({
  response: withProperty(RESPONSE, name, value),
});
const [operation] = Object.values(released.operations);
const parameters = operation?.parameters ?? {};
const BODY = `${CREATE} body`;
const CREATED = `${CREATE} response 201 application/json`;

test('the comparison of two equal public surfaces reports nothing, even with schemas that refer to themselves', () => {
  expect(compare({})).toEqual([]);
});

test('the comparison of two public surfaces reports a removed operation', () => {
  const current = { ...released, operations: {} };
  expect(findNarrowings({ released, current, today: TODAY })).toEqual([
    { at: CREATE, change: 'removed' },
  ]);
});

test.each<[string, Changes, string]>([
  [
    'a renamed operation',
    { operation: { operationId: 'makeThing' } },
    `${CREATE}: operationId createThing became makeThing`,
  ],
  [
    'a raised scope',
    { operation: { scope: 'write' } },
    `${CREATE}: scope raised from run to write`,
  ],
  [
    'a removed error code',
    { operation: { codes: ['not_found'] } },
    `${CREATE}: error code key_taken was removed`,
  ],
  ['a removed parameter', { operation: { parameters: {} } }, `${CREATE} query limit: removed`],
  [
    'a parameter that is newly required',
    { operation: { parameters: { 'query limit': { isRequired: true, schema: {} } } } },
    `${CREATE} query limit: is newly required`,
  ],
  [
    'a new parameter that is required',
    {
      operation: {
        parameters: { ...parameters, 'query region': { isRequired: true, schema: {} } },
      },
    },
    `${CREATE} query region: is newly required`,
  ],
  [
    'a lowered maximum of a parameter',
    {
      operation: {
        parameters: {
          'query limit': { isRequired: false, schema: { type: 'integer', maximum: 100 } },
        },
      },
    },
    `${CREATE} query limit: maximum: 500 does not fit into 100`,
  ],
  ['a removed body', { operation: { body: null } }, `${BODY}: removed`],
  [
    'a body that is newly required',
    {
      operation: {
        body: { isRequired: true, mediaTypes: operation?.body?.mediaTypes ?? [], schema: REQUEST },
      },
    },
    `${BODY}: is newly required`,
  ],
  [
    'a media type that is no longer accepted',
    {
      operation: {
        body: { isRequired: false, mediaTypes: ['application/json'], schema: REQUEST },
      },
    },
    `${BODY}: application/merge-patch+json is no longer accepted`,
  ],
  [
    'a removed status',
    { operation: { responses: { '201 application/json': RESPONSE } } },
    `${CREATE} response 204: removed`,
  ],
])('the comparison of two public surfaces reports %s', (_what, changes, expected) => {
  expect(compare(changes)).toEqual([expected]);
});

test.each<[string, Changes, string]>([
  ['a removed property', body('interval', undefined), `${BODY}.interval: removed`],
  [
    'a property that is newly required',
    { request: { ...REQUEST, required: ['name', 'mode'] } },
    `${BODY}.mode: is newly required`,
  ],
  [
    'another type',
    body('name', { type: 'number' }),
    `${BODY}.name: type: string does not fit into number`,
  ],
  [
    'null that is no longer accepted',
    body('at', { type: 'string', format: 'date-time' }),
    `${BODY}.at: type: null does not fit into string`,
  ],
  [
    'a removed value',
    body('mode', { type: 'string', enum: ['mute'] }),
    `${BODY}.mode: value "pause" was removed`,
  ],
  [
    'values that are newly limited',
    body('name', { type: 'string', minLength: 1, maxLength: 200, enum: ['a'] }),
    `${BODY}.name: values are limited to a`,
  ],
  [
    'a lowered maximum',
    body('interval', { type: 'integer', minimum: 10, maximum: 599 }),
    `${BODY}.interval: maximum: 600 does not fit into 599`,
  ],
  [
    'a raised minimum',
    body('interval', { type: 'integer', minimum: 11, maximum: 600 }),
    `${BODY}.interval: minimum: 10 does not fit into 11`,
  ],
  [
    'a new pattern',
    body('name', { type: 'string', minLength: 1, maxLength: 200, pattern: '^a' }),
    `${BODY}.name: pattern: any does not fit into "^a"`,
  ],
  [
    'another format',
    body('at', { type: ['string', 'null'], format: 'date' }),
    `${BODY}.at: format: "date-time" does not fit into "date"`,
  ],
])(
  'the comparison of two public surfaces reports the change of a request: %s',
  (_what, changes, expected) => {
    expect(compare(changes)).toEqual([expected]);
  },
);

test.each<[string, Changes, string]>([
  ['a removed property', response('note', undefined), `${CREATED}.note: removed`],
  ['a removed required property', response('id', undefined), `${CREATED}.id: removed`],
  [
    'a property that is no longer always present',
    { response: { ...RESPONSE, required: ['health', 'type', 'items'] } },
    `${CREATED}.id: is no longer always present`,
  ],
  [
    'another type',
    response('id', { type: 'integer' }),
    `${CREATED}.id: type: integer does not fit into string`,
  ],
  [
    'null as a new value',
    response('note', { anyOf: [{ type: 'string' }, { type: 'null' }] }),
    `${CREATED}.note: type: null does not fit into string`,
  ],
  [
    'a new value of a closed list',
    response('health', { type: 'string', enum: ['up', 'down', 'odd'] }),
    `${CREATED}.health: value "odd" was added`,
  ],
  [
    'a new value in an array of a closed list',
    response('scopes', { type: 'array', items: { type: 'string', enum: ['read', 'all'] } }),
    `${CREATED}.scopes[]: value "all" was added`,
  ],
])(
  'the comparison of two public surfaces reports the change of a response: %s',
  (_what, changes, expected) => {
    expect(compare(changes)).toEqual([expected]);
  },
);

test('the comparison of two public surfaces reports a changed named schema once, under the name of the schema', () => {
  const [http, dns] = ITEMS;
  const changed = { ...dns, required: ['type'] };
  expect(compare({ items: [http ?? {}, changed] })).toEqual([
    'Item.ttl: is no longer always present',
  ]);
});

test.each<[string, Changes]>([
  ['a new optional property of a request', body('more', { type: 'string' })],
  ['a wider range', body('interval', { type: 'number', minimum: 1 })],
  ['another value of a request', body('mode', { type: 'string', enum: ['mute', 'pause', 'off'] })],
  [
    'null as a value of a request',
    body('mode', { anyOf: [{ enum: ['mute', 'pause'] }, { type: 'null' }] }),
  ],
  ['a new property of a response', response('more', { type: 'string' })],
  ['a value of an open list', response('type', { type: 'string', enum: ['http', 'dns', 'tcp'] })],
  ['a lowered scope', { operation: { scope: 'read' } }],
  [
    'a new optional parameter',
    { operation: { parameters: { ...parameters, 'query q': { isRequired: false, schema: {} } } } },
  ],
  ['a new error code', { operation: { codes: ['in_use', 'key_taken', 'not_found'] } }],
  ['a new name', { names: { ...NAMES, 'setting HOST': { closed: [] } } }],
  [
    'a new type of an item',
    { items: [...ITEMS, { ...ITEMS[0], properties: { type: { enum: ['tcp'] } } }] },
  ],
])(
  'the comparison of two public surfaces does not report %s, since it is an addition',
  (_what, changes) => {
    expect(compare(changes)).toEqual([]);
  },
);

test.each<[keyof typeof NAMES, object | undefined, string]>([
  ['setting PORT', undefined, 'removed'],
  ['setting PORT', { closed: ['api'] }, 'api is newly required'],
  [
    'metric probe_success',
    { same: { type: 'counter' }, kept: ['region'] },
    'type gauge became counter',
  ],
  ['metric probe_success', { same: { type: 'gauge' }, kept: [] }, 'region was removed'],
  ['command run', undefined, 'removed'],
  ['command run', { kept: ['argument 1'], closed: ['argument 1'] }, 'argument 1 is newly required'],
  ['option run --tag', undefined, 'removed'],
  ['option run --tag', { same: { value: 'none' }, kept: ['a', 'b'] }, 'value required became none'],
  ['option run --tag', { same: { value: 'required' }, kept: ['a'] }, 'b was removed'],
  ['exit code drift', { same: { code: 9 } }, 'code 6 became 9'],
  ['error code not_found', { same: { status: 410 } }, 'status 404 became 410'],
  ['webhook alert.* cause code', undefined, 'removed'],
  ['webhook alert.* cause code', { same: { type: 'number' } }, 'type string became number'],
])(
  'the comparison of two public surfaces reports the narrowing of the %s (case %#)',
  (name, facts, change) => {
    const { [name]: _old, ...others } = NAMES;
    const names = facts === undefined ? others : { ...others, [name]: facts };
    expect(compare({ names })).toEqual([`${name}: ${change}`]);
  },
);

const announced = (sunset: string) =>
  ({ deprecated: true, 'x-announced': '2026-01-01', 'x-sunset': sunset }) as const;

describe.each([
  { sunset: '2027-05-31', isOver: true },
  { sunset: TODAY, isOver: false },
])('with $sunset as the announced last day', ({ sunset, isOver }) => {
  const facts = announced(sunset);
  const limit = { isRequired: false, schema: { type: 'integer' }, ...facts };
  const before = {
    operation: buildSurface({ operation: { ...facts } }),
    parameter: buildSurface({ operation: { parameters: { 'query limit': limit } } }),
    property: buildSurface(body('mode', { type: 'string', ...facts })),
    name: buildSurface({ names: { ...NAMES, 'setting PORT': facts } }),
  };
  const { 'setting PORT': _port, ...names } = NAMES;
  const after = {
    operation: { ...released, operations: {} },
    parameter: buildSurface({ operation: { parameters: {} } }),
    property: buildSurface(body('mode', undefined)),
    name: buildSurface({ names }),
  };
  test.each(['operation', 'parameter', 'property', 'name'] as const)(
    `a removed %s is ${isOver ? 'not ' : ''}reported`,
    (what) => {
      const surfaces = { released: before[what], current: after[what], today: TODAY };
      expect(findNarrowings(surfaces).map(({ change }) => change)).toEqual(
        isOver ? [] : ['removed'],
      );
    },
  );
});
