/**
 * Tests the recipe of docs/extending.md for a new type of check, with a toy type. With a line in each registry, the type
 * works in bodies, steps, the reference, responses, secrets and the form. No other file needs a change.
 */
// This import must come before anything that is derived from the registries.
import './support/toy-kind';

import { listDescribedGroups } from '../../src/api/pages/reference/fields-page';
import { isKindScheme, isNetworkMethod } from '../../src/contracts/kinds';
import { kindDefinition } from '../../src/dashboard/features/monitors/form/kind-draft';
import { listReferencedSecrets } from '../../src/domain/secrets/secret-names';
import { presentSettings } from '../../src/kinds/shapes';
import { validate } from '../../src/schemas/issues';
import { monitorBody } from '../../src/schemas/monitor';
import { scenarioBody } from '../../src/schemas/scenario';
import { presentResult } from '../../src/services/results/present-result';
import { shownDocument } from '../api/whole-document';
import { outcomeOf } from '../support/outcomes';
import { TOY, TOY_SHAPE } from './support/toy-kind';

const BODY = { type: TOY, name: 'x', host: 'a.example.com' };

test('a monitor of a new type accepts the fields of the type and refuses others', () => {
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

test('a step of a new type accepts variables in its texts, and secrets in fields that it sends', () => {
  const problemsOf = (step: object) => {
    const variables = { at: 'a.example.com' };
    const checked = validate(scenarioBody, { name: 's', variables, steps: [{ ...BODY, ...step }] });
    return checked.ok ? [] : checked.problems.map(({ path }) => path);
  };
  expect(problemsOf({ host: '{{at}}', greeting: '{{secret:word}}' })).toEqual([]);
  expect(problemsOf({ host: '{{secret:word}}' })).toEqual(['steps[0].host']);
  const { check } = TOY_SHAPE.read({ host: 'a.example.com', greeting: '{{secret:word}}' });
  expect(listReferencedSecrets([check])).toEqual(['word']);
});

test('the reference describes the bodies, responses and fields of a new type', () => {
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
  const group = listDescribedGroups(shownDocument).find(({ anchor }) => anchor === 'toy');
  expect(group?.title).toBe('Toy check');
  expect(group?.fields.map(({ path }) => path)).toContain('greeting');
});

test('a response of a new type shows the stored fields', () => {
  const { check } = TOY_SHAPE.read({ host: 'a.example.com', greeting: 'hello' });
  expect(presentSettings(check)).toEqual({ host: 'a.example.com', greeting: 'hello' });
});

test('an outcome of a new type names its method', () => {
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

test('the form of a new type reads and writes its fields, with their labels', () => {
  const kind = kindDefinition(TOY);
  expect(kind.title).toBe('Toy check');
  const body = { ...BODY, greeting: 'hello', interval: 60 };
  expect(kind.toBody(kind.toDraft(body))).toEqual(body);
  expect(kind.findProblems(kind.toDraft(BODY))).toEqual([]);
});
