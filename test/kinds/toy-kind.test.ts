/**
 * The recipe of CONTRIBUTING for a kind of check, followed on a toy: with a line in each registry, bodies, steps, the reference,
 * responses, secrets and the form take it, and no other file needs to know of it.
 */
import { z } from 'zod';
import { NETWORK_KINDS, type NetworkKind } from '../../src/contracts/kinds';
import { hostShape, type KindShape } from '../../src/kinds/fields';
import { KIND_FORMS } from '../../src/kinds/form';
import type { KindInput } from '../../src/kinds/inputs';
import { referableFields } from '../../src/kinds/referable';
import { KIND_SHAPES } from '../../src/kinds/shapes';

const fields = {
  host: hostShape,
  greeting: z.string().max(20).nullable().meta({ description: 'Said first' }).default(null),
};
const whole = z.object(referableFields(fields));

const shape = {
  schemaName: 'Toy',
  words: { label: 'Toy', title: 'Toy check', about: 'Plays with a host' },
  fields,
  secretFields: ['greeting'],
  hasCertificate: true,
  findProblems: ({ greeting }) =>
    greeting === 'boo'
      ? [{ path: 'greeting', code: 'invalid_value', message: 'must be friendly' }]
      : [],
  read: (sent) => {
    const settings = whole.parse({ host: 'missing.invalid', ...sent });
    const url = `toy://${settings.host}`;
    return { check: toyCheck(settings), url, targets: [{ path: 'host', url }] };
  },
} satisfies KindShape;

const form: readonly KindInput[] = [
  { name: 'host', label: 'Host', input: 'text' },
  { name: 'greeting', label: 'Greeting', input: 'text' },
];

/** The types of the registries know the kinds of Keepwatch only. */
function toyCheck(settings: object): ReturnType<KindShape['read']>['check'];
function toyCheck(settings: object) {
  return { type: 'toy', settings };
}

function registerToy(): NetworkKind {
  Reflect.apply(Array.prototype.push, NETWORK_KINDS, ['toy']);
  Object.assign(KIND_SHAPES, { toy: shape });
  Object.assign(KIND_FORMS, { toy: form });
  const type = NETWORK_KINDS.find((known: string) => known === 'toy');
  if (type === undefined) throw new Error('It is registered.');
  return type;
}

/** Before anything is loaded that derives from the registries. */
const TOY = registerToy();

const BODY = { type: TOY, name: 'x', host: 'a.example.com' };

test('the body of a monitor takes its fields, fills in what is left out, and refuses others', async () => {
  const { validate } = await import('../../src/schemas/issues');
  const { monitorBody } = await import('../../src/schemas/monitor');
  const problemsOf = (body: object) => {
    const checked = validate(monitorBody, body);
    return checked.ok ? [] : checked.problems.map(({ path }) => path);
  };
  expect(validate(monitorBody, BODY)).toMatchObject({
    ok: true,
    value: { type: TOY, kind: { check: { settings: { host: 'a.example.com', greeting: null } } } },
  });
  expect(problemsOf({ type: TOY, name: 'x' })).toEqual(['host']);
  expect(problemsOf({ ...BODY, greeting: 'boo', port: 1 })).toEqual(['port', 'greeting']);
  expect(problemsOf({ name: 'x', url: 'https://a.example', greeting: 'hello' })).toEqual([
    'greeting',
  ]);
});

test('a step of a scenario takes variables in its texts, and secrets in what it sends', async () => {
  const { validate } = await import('../../src/schemas/issues');
  const { scenarioBody } = await import('../../src/schemas/scenario');
  const { secretNamesIn } = await import('../../src/domain/secrets/secret-names');
  const problemsOf = (step: object) => {
    const variables = { at: 'a.example.com' };
    const checked = validate(scenarioBody, { name: 's', variables, steps: [{ ...BODY, ...step }] });
    return checked.ok ? [] : checked.problems.map(({ path }) => path);
  };
  expect(problemsOf({ host: '{{at}}', greeting: '{{secret:word}}' })).toEqual([]);
  expect(problemsOf({ host: '{{secret:word}}' })).toEqual(['steps[0].host']);
  const { check } = shape.read({ host: 'a.example.com', greeting: '{{secret:word}}' });
  expect(secretNamesIn([check])).toEqual(['word']);
});

test('the reference describes its bodies, its responses and its fields', async () => {
  const { shownDocument } = await import('../api/whole-document');
  const { describedGroups } = await import('../../src/api/pages/reference/fields-page');
  const { schemas = {} } = shownDocument.components ?? {};
  for (const name of [
    'ToyMonitorBody',
    'ToyStep',
    'ToyMonitor',
    'ListedToyMonitor',
    'SavedToyStep',
  ])
    expect(schemas[name]).toMatchObject({ properties: { greeting: expect.anything() } });
  expect(schemas['ToyMonitor']).toMatchObject({ properties: { tlsExpiresAt: expect.anything() } });
  const group = describedGroups(shownDocument).find(({ anchor }) => anchor === 'toy');
  expect(group?.title).toBe('Toy check');
  expect(group?.fields.map(({ path }) => path)).toContain('greeting');
});

test('a response shows what is stored', async () => {
  const { presentSettings } = await import('../../src/kinds/shapes');
  const { check } = shape.read({ host: 'a.example.com', greeting: 'hello' });
  expect(presentSettings(check)).toEqual({ host: 'a.example.com', greeting: 'hello' });
});

test('an outcome of it is one of its method, like that of any kind', async () => {
  const { isNetworkMethod, isKindScheme } = await import('../../src/contracts/kinds');
  const { presentResult } = await import('../../src/services/results/present-result');
  const { outcomeOf } = await import('../support/outcomes');
  expect([isNetworkMethod('TOY'), isKindScheme('toy')]).toEqual([true, true]);
  const result = presentResult({
    id: 'res_1',
    accountId: 'acc_1',
    monitorId: 'mon_1',
    revision: 1,
    slotMs: 0,
    kind: 'scheduled',
    trigger: 'schedule',
    region: 'eu-west',
    status: 'up',
    inMaintenance: false,
    responseTimeMs: 12,
    outcome: { ...outcomeOf('up'), request: { method: 'TOY', url: 'toy://a.example.com' } },
    gap: null,
  });
  expect(result).toMatchObject({ request: { method: 'TOY' }, tls: null, ok: true });
});

test('its form reads and writes its fields, by its words', async () => {
  const { kindDefinition } = await import('../../src/dashboard/features/monitors/form/kind-draft');
  const kind = kindDefinition(TOY);
  expect(kind.title).toBe('Toy check');
  const body = { ...BODY, greeting: 'hello', interval: 60 };
  expect(kind.toBody(kind.toDraft(body))).toEqual(body);
  expect(kind.findProblems(kind.toDraft(BODY))).toEqual([]);
});
