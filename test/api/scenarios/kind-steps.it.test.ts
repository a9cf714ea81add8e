/**
 * Tests scenarios with steps of every type of check, on the real application and database. Tests what is returned, what
 * workflows get, and what is refused.
 *
 * Covers:
 * - schemas/responses/scenarios
 */
import { NETWORK_KINDS, type NetworkKind } from '../../../src/contracts/kinds';
import { LEAST, targetFields, withHost, withTarget } from '../../kinds/support/least';
import { accountOfSuite, agentOf, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);
const as = agentOf(service, account);

const FIND = {
  name: 'find',
  url: 'https://shop.example.com/nodes',
  extract: { found: '$.host' },
};

function scenarioOf(type: NetworkKind, change: object = {}): object {
  const check = { type, name: 'check', ...LEAST[type], ...withHost(type, '{{found}}'), ...change };
  return {
    name: `By ${type}`,
    key: `by-${type}`,
    variables: { at: '169.254.169.254' },
    steps: [FIND, check],
  };
}

describe.each(NETWORK_KINDS)('a scenario with a step of the type %s', (type) => {
  it('a step of each type is returned as it was saved', async () => {
    const course = { always: true, waitSeconds: 5, until: { everySeconds: 5, forSeconds: 60 } };
    const made = await as().post('/v1/scenarios').send(scenarioOf(type, course));
    expect(made).toMatchObject({ status: 201 });
    const { id, steps } = made.body;
    expect(steps).toMatchObject([
      { type: 'http', name: 'find' },
      { type, name: 'check', ...withHost(type, '{{found}}'), retries: 0, ...course },
    ]);
    const read = await as().get(`/v1/scenarios/${id}`);
    const replaced = await as().put(`/v1/scenarios/${id}`).send(read.body);
    expect(replaced.body).toEqual(read.body);
    expect(service.gateway.callsOf(id)).toEqual(['configureScenario']);
    expect(service.gateway.lastConfigOf(id)).toMatchObject({
      steps: [
        { method: 'GET' },
        {
          name: 'check',
          method: type.toUpperCase(),
          host: '',
          variables: ['found'],
          waitMs: 5_000,
        },
      ],
    });
    const run = await as().post(`/v1/scenarios/${id}/run`);
    expect(run.body.steps).toMatchObject([{ method: 'GET' }, { method: type.toUpperCase() }]);
  });

  it('a scenario is found by the host of its step, and changed by a merge patch', async () => {
    const steps = [
      { type, name: 'check', ...LEAST[type], ...withTarget(type, `${type}.findable.example`) },
    ];
    const made = await as().post('/v1/scenarios').send({ name: 'x', steps });
    const found = await as().get(`/v1/scenarios?q=${type}.findable`);
    expect(found.body.data).toMatchObject([{ id: made.body.id, groupKey: 'findable.example' }]);
    const patch = { steps: [{ ...steps[0], retries: 2 }] };
    const patched = await as().patch(`/v1/scenarios/${made.body.id}`).send(patch);
    expect(patched.body).toMatchObject({ version: 2, steps: [{ type, retries: 2 }] });
  });

  it('a step of each type is exported, and applying the export changes nothing', async () => {
    const body = { scenarios: [scenarioOf(type)] };
    expect(await as().post('/v1/apply').send(body)).toMatchObject({ status: 200 });
    const { scenarios } = (await as().get('/v1/export')).body;
    const mine = scenarios.filter(({ key }: { key: string }) => key === `by-${type}`);
    const [{ steps }] = mine;
    expect(steps[1]).toEqual({
      type,
      name: 'check',
      ...LEAST[type],
      ...withHost(type, '{{found}}'),
    });
    const again = await as().post('/v1/apply').send({ scenarios: mine, dryRun: true });
    expect(again.body).toMatchObject({ objects: [{ action: 'unchanged' }] });
  });

  it('a step of each type cannot target a private host, not even by a variable', async () => {
    for (const text of ['169.254.169.254', '{{at}}'])
      for (const { path, change } of targetFields(type, text)) {
        const { body } = await as().post('/v1/scenarios').send(scenarioOf(type, change));
        const [error] = body.errors;
        expect([body.code, error?.path]).toEqual(['blocked_target', `steps[1].${path}`]);
      }
  });

  it('a scenario with a step of each type refuses all unsupported fields together, each with its path', async () => {
    const foreign = { method: 'GET', assertions: [], cookies: 'keep' };
    const { status, body } = await as().post('/v1/scenarios').send(scenarioOf(type, foreign));
    expect(status).toBe(400);
    const message = expect.stringMatching(
      new RegExp(`^is not a field of the type ${type}; it has `),
    );
    const errors = Object.keys(foreign).map((name) => ({ path: `steps[1].${name}`, message }));
    expect(body.errors).toEqual(expect.arrayContaining(errors.map(expect.objectContaining)));
  });
});

it('apply keeps the stored cookie of a WebSocket when a file contains the masked cookie', async () => {
  const headers = { Cookie: 'session={{token}}' };
  const listening = { type: 'websocket', name: 'listen', ...LEAST.websocket, headers };
  const variables = { token: { value: 'hidden', secret: true } };
  const scenario = { name: 'Listen', key: 'listen', variables, steps: [listening] };
  const monitor = { ...listening, key: 'listen', variables };
  const applied = await as()
    .post('/v1/apply')
    .send({ monitors: [monitor], scenarios: [scenario] });
  expect(applied).toMatchObject({ status: 200 });
  const reader = await account.newKey({ scopes: ['read'] });
  const { monitors, scenarios } = (await as(reader).get('/v1/export')).body;
  const isMine = ({ key }: { readonly key: string }) => key === 'listen';
  const file = { monitors: monitors.filter(isMine), scenarios: scenarios.filter(isMine) };
  expect(JSON.stringify(file)).not.toContain('session=');
  const again = await as().post('/v1/apply').send(file);
  expect(again.body).toMatchObject({
    objects: [{ action: 'unchanged' }, { action: 'unchanged' }],
  });
  const renamed = { monitors: [{ ...file.monitors[0], key: 'other' }] };
  const { body } = await as().post('/v1/apply').send(renamed);
  expect(body.objects).toMatchObject([
    { outcome: 'failed', problem: { errors: [{ path: 'headers.Cookie' }] } },
  ]);
});
