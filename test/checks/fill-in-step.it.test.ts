/**
 * Tests requests that are built once per revision. Only steps without templates are built in this way. The result must
 * be the same as if the request were built for each check.
 */
import { createFillIn } from '../../src/checks/fill-in-step';
import { renderRequest } from '../../src/checks/render-request';
import { createPrepareTls } from '../../src/checks/tls/prepare-tls';
import { isNetworkStep, type StepDefinition } from '../../src/contracts/definition';
import type { TemplateValues } from '../../src/domain/templates/template';
import { startRecordingTarget } from '../support/recording-target';
import { buildDefinition, buildRunner } from '../support/step-builder';

const userAgent = 'Keepwatch/1.2.3';
const values: TemplateValues = {
  variables: new Map([['name', 'value']]),
  secrets: new Map([['key', 'secret']]),
  generated: { uuid: 'u', now: 'n', runId: 'r', region: 'eu-west' },
};
const needs = {
  userAgent,
  tokens: { get: async () => 'token', forget: () => undefined },
  prepareTls: createPrepareTls([]),
  findProxy: () => null,
};
const fillingOf = (step: StepDefinition, traceparent?: string) => ({
  accountId: 'acc_1',
  definition: { kind: 'monitor', id: 'mon_1', revision: 1, variables: [], steps: [step] } as const,
  step,
  values,
  vars: [],
  secrets: [],
  traceparent,
});
const stepOf = (changes: Partial<StepDefinition>): StepDefinition => {
  const [step] = buildDefinition(changes).steps;
  if (step === undefined || isNetworkStep(step)) throw new Error('no step');
  return step;
};
const expecting = (value: string): Partial<StepDefinition> => ({
  assertions: [{ type: 'responseTime', operator: 'lessThan', value, severity: 'fail' }],
});

test.each<[string, Partial<StepDefinition>]>([
  ['a plain GET', {}],
  ['a body of text', { method: 'POST', body: 'a {b} c' }],
  ['a body of JSON', { method: 'POST', body: { a: ['b', 1, null] } }],
  ['a form', { method: 'POST', form: [{ name: 'a', value: 'b c' }] }],
  ['a GraphQL query', { method: 'POST', graphql: { query: '{ a }', variables: { b: 1 } } }],
  ['headers of its own', { headers: [{ name: 'User-Agent', value: 'own' }] }],
  ['a number to compare with', expecting('500')],
])(
  'the request of a step with %s is built once for all checks, and equals a newly built request',
  (_, changes) => {
    const fillIn = createFillIn(needs);
    const step = stepOf(changes);
    const filled = fillIn(fillingOf(step));
    expect(filled.request).toEqual(renderRequest(step, values, { userAgent }));
    expect(filled.step.assertions.map(({ value }) => value)).toEqual(
      step.assertions.map(({ value }) => Number(value)),
    );
    expect(fillIn(fillingOf(step))).toBe(filled);
    expect(fillIn(fillingOf(stepOf(changes)))).not.toBe(filled);
  },
);

test.each<[string, Partial<StepDefinition>]>([
  ['its URL', { url: 'http://127.0.0.1/{{name}}' }],
  ['a header', { headers: [{ name: 'x-key', value: 'Bearer {{secret:key}}' }] }],
  ['its body', { method: 'POST', body: { a: [{ b: 'at {{$now}}' }] } }],
  ['a form', { method: 'POST', form: [{ name: 'a', value: '{{name}}' }] }],
  [
    'a GraphQL variable',
    { method: 'POST', graphql: { query: '{ a }', variables: { b: '{{name}}' } } },
  ],
  ['an expected value', expecting('{{name}}')],
  ['an escaped brace', { method: 'POST', body: "{{'name'}}" }],
  ['a multipart boundary', { method: 'POST', multipart: [{ name: 'a', value: 'b' }] }],
  ['a trace context', { sendTraceparent: true }],
])('the request of a step that fills in %s is built again for each check', (_, changes) => {
  const fillIn = createFillIn(needs);
  const step = stepOf(changes);
  const filled = fillIn(fillingOf(step, '00-1'));
  expect(fillIn(fillingOf(step, '00-1'))).not.toBe(filled);
  const traceparent = step.sendTraceparent ? '00-1' : undefined;
  const rendered = renderRequest(step, values, { userAgent, traceparent });
  expect(filled.request).toEqual(rendered);
});

test('a check sends the same request at each slot, without the cookies of earlier slots', async () => {
  const runner = buildRunner();
  const target = await startRecordingTarget(({ url }, response) => {
    response.setHeader('Set-Cookie', 'sid=1');
    response.writeHead(url === '/' ? 302 : 200, { location: '/next' }).end();
  });
  const definition = buildDefinition({
    url: `${target.origin}/`,
    headers: [{ name: 'x-a', value: 'b' }],
  });
  const slots = [1, 2];
  for (const slotMs of slots) {
    const outcome = await runner.runStep(definition, 0, { slotMs });
    expect(outcome).toMatchObject({ status: 'up', response: { redirects: 1 } });
  }
  await runner.close();
  await target.close();
  const sent = target.received.map(({ url, headers }) => [url, headers['x-a'], headers.cookie]);
  expect(sent).toEqual(
    slots.flatMap(() => [
      ['/', 'b', undefined],
      ['/next', 'b', 'sid=1'],
    ]),
  );
});
