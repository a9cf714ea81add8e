/**
 * Tests steps of every kind in the body of a scenario: what is refused, by which field, and how a valid step is read.
 *
 * Covers:
 * - kinds/steps
 * - kinds/step-fields
 * - kinds/allow-references
 */
import { NETWORK_KINDS, type NetworkKind } from '../../src/contracts/kinds';
import { networkOptional } from '../../src/kinds/bodies';
import { KIND_SHAPES, listOwnFieldNames, listRequiredFieldNames } from '../../src/kinds/shapes';
import { validate } from '../../src/schemas/issues';
import { scenarioBody, stepShape } from '../../src/schemas/scenario';
import { fieldsTaking, LEAST, withHost } from './support/least';

const stepOf = (type: NetworkKind, change: object = {}) => ({
  type,
  name: 'x',
  ...LEAST[type],
  ...change,
});

const VARIABLES = { known: 'a.example.com', hidden: { value: 'password', secret: true } };

function scenarioOf(...steps: readonly object[]): object {
  return { name: 's', variables: VARIABLES, steps };
}

/** Returns the problems of the last step, by the path of the field. */
function problemsOf(...steps: readonly object[]): Record<string, string> {
  const checked = validate(scenarioBody, scenarioOf(...steps));
  if (checked.ok) return {};
  const prefix = `steps[${steps.length - 1}].`;
  return Object.fromEntries(
    checked.problems.map(({ path, message }) => [path.replace(prefix, ''), message]),
  );
}

const SHARED = [
  'type',
  'name',
  'extract',
  'timeoutMs',
  'retries',
  'degradedAboveMs',
  'always',
  'waitSeconds',
  'until',
];

describe.each(NETWORK_KINDS)('a step of the type %s', (type) => {
  it('a step of each type needs only its name and the fields without a default', () => {
    expect(problemsOf(stepOf(type))).toEqual({});
    const missing = listRequiredFieldNames(type).map((name) => [name, 'is required'] as const);
    expect(problemsOf({ type, name: 'x' })).toEqual(Object.fromEntries(missing));
  });

  it('a step of each type refuses every field of HTTP and of other kinds, and lists its own fields', () => {
    const own = new Set([...SHARED, ...listOwnFieldNames(type)]);
    const names = [...Object.keys(stepShape.shape), ...Object.keys(networkOptional)];
    const foreign = [...new Set(names)].filter((name) => !own.has(name));
    const found = problemsOf(stepOf(type, Object.fromEntries(foreign.map((name) => [name, null]))));
    const words = `is not a field of the type ${type}; it has ${listOwnFieldNames(type).join(', ')}`;
    expect(found).toEqual(Object.fromEntries(foreign.map((name) => [name, words])));
    expect(foreign).toEqual(expect.arrayContaining(['method', 'cookies', 'assertions']));
  });

  it('a step of each type accepts variables and values extracted by earlier steps in each of its texts', () => {
    const before = { name: 'before', url: 'https://a.example', extract: { found: '$.host' } };
    for (const reference of ['{{known}}', '{{found}}', '{{$region}}'])
      for (const { change } of fieldsTaking(type, reference))
        expect(problemsOf(before, stepOf(type, change))).toEqual({});
    expect(fieldsTaking(type, '{{known}}')).not.toEqual([]);
  });

  it('a step of each type is refused, with the field, if nothing before the step defines a variable in it', () => {
    for (const { path, change } of fieldsTaking(type, '{{nobody}}')) {
      const words = expect.stringContaining('uses {{nobody}}, which is not defined');
      expect(problemsOf(stepOf(type, change))).toEqual({ [path]: words });
    }
  });

  it.each(['{{hidden}}', '{{secret:token}}'])(
    'a step of each type accepts the secret %s only in fields that it sends',
    (secret) => {
      for (const { path, change } of fieldsTaking(type, secret)) {
        const words = 'must not contain a secret; only `send` and `headers` may';
        expect(problemsOf(stepOf(type, change))).toEqual(path === 'send' ? {} : { [path]: words });
      }
    },
  );

  it('a step of each type validates the text around a reference', () => {
    const [field = ''] = Object.keys(withHost(type, ''));
    expect(problemsOf(stepOf(type, { [field]: 'gopher://{{known}} path' }))).toEqual({
      [field]: expect.any(String),
    });
    expect(problemsOf(stepOf(type, { [field]: '{{not a name}}' }))).toEqual({
      [field]: expect.stringContaining('is not a valid name'),
    });
  });

  it('a step of each type extracts by JSON path and pattern', () => {
    const reads = listOwnFieldNames(type).includes('send') ? { expect: 'a' } : {};
    const good = { a: '$.a', b: { from: 'body', pattern: 'x', secret: true, default: '1' } };
    expect(problemsOf(stepOf(type, { ...reads, extract: good }))).toEqual({});
    const bad = {
      a: { from: 'header', name: 'x' },
      b: { from: 'cookie', name: 'x' },
      c: { from: 'status' },
      d: { from: 'finalUrl' },
      e: { from: 'jsonPath', path: '$.a', resolve: true },
    };
    const ofHttp = 'only works with HTTP; use jsonPath or body';
    expect(problemsOf(stepOf(type, { ...reads, extract: bad }))).toEqual({
      'extract.a.from': ofHttp,
      'extract.b.from': ofHttp,
      'extract.c.from': ofHttp,
      'extract.d.from': ofHttp,
      'extract.e.resolve': 'only works with HTTP, whose responses have a URL',
    });
  });

  it('a step of each type is sent once and without a wait by default', () => {
    const checked = validate(scenarioBody, scenarioOf(stepOf(type)));
    expect(checked).toMatchObject({
      value: { steps: [{ type, retries: 0, always: false, waitSeconds: 0, until: null }] },
    });
  });

  it('a step of each type is stored as written if its texts contain references', () => {
    for (const { change } of fieldsTaking(type, '{{known}}')) {
      const checked = validate(scenarioBody, scenarioOf(stepOf(type, change)));
      if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
      const [step] = checked.value.steps;
      if (step === undefined || !('kind' in step)) throw new Error('It is of a kind.');
      expect(step.kind.check.settings).toMatchObject(change);
      expect(KIND_SHAPES[type].read(step.kind.check.settings)).toEqual(step.kind);
    }
  });
});

it('a text of 25,000 references is validated without a copy of the text for each reference', () => {
  const send = '{{known}}'.repeat(25_000);
  expect(problemsOf(stepOf('tcp', { send }))).toEqual({ send: 'must have at most 4 KiB' });
});

it('a TCP step that extracts values must have an expectation, since otherwise nothing is read', () => {
  expect(problemsOf(stepOf('tcp', { extract: { a: '$.a' } }))).toEqual({
    expect: 'is required with extract: without it, nothing is read',
  });
});

it.each([
  ['dns', { host: '192.0.2.1' }, 'host'],
  ['dns', { servers: ['{{known}}', 'ns1.example.com'] }, 'servers[1]'],
  ['dns', { record: '{{known}}' }, 'record'],
  ['tcp', { port: '{{known}}' }, 'port'],
  ['tcp', { useTls: true, startTls: 'smtp' }, 'startTls'],
  ['ping', { timeoutMs: 3_000, count: 10 }, 'timeoutMs'],
] as const)(
  'a %s step with %j is refused, and only the field %s is reported',
  (type, change, path) => {
    expect(Object.keys(problemsOf(stepOf(type, change)))).toEqual([path]);
  },
);
