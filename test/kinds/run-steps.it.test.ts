/**
 * Tests steps of every kind in a scenario, as a probe runs them: which values fill in their fields, which values are
 * refused, and what the steps extract. For any value of a variable, the target guard, the schemas and the redaction
 * apply as for monitors.
 *
 * Covers:
 * - kinds/fill-in
 * - kinds/extract
 */
import type { StepInputs, StepRunner } from '../../src/checks/step-runner';
import type {
  Definition,
  Extraction,
  SentNetworkStep,
  Variable,
} from '../../src/contracts/definition';
import { NETWORK_KINDS, type NetworkKind } from '../../src/contracts/kinds';
import type { StepOutcome } from '../../src/contracts/outcome';
import { MASK } from '../../src/domain/secrets/redact';
import type { Reach } from '../../src/domain/secrets/secret-reach';
import type { TemplateValues } from '../../src/domain/templates/template';
import { createFillInKind } from '../../src/kinds/fill-in';
import { KIND_SHAPES } from '../../src/kinds/shapes';
import { type Play, say, sayThenClose, startTarget } from '../support/misbehaving-target';
import { buildKindRunner, COMMON_STEP } from './support/kind-runner';
import { LEAST, targetFields, withHost } from './support/least';

let runner: StepRunner;
beforeAll(() => {
  runner = buildKindRunner();
});
afterAll(() => runner.close());

function stepOf(
  type: NetworkKind,
  fields: object,
  extract: readonly Extraction[] = [],
): SentNetworkStep {
  const { check, url } = KIND_SHAPES[type].read({ ...LEAST[type], ...fields });
  return { ...COMMON_STEP, ...check, url, extract };
}

function definitionOf(step: SentNetworkStep, variables: readonly Variable[]): Definition {
  return { kind: 'scenario', id: 'scn_test', revision: 1, variables, steps: [step] };
}

function run(
  step: SentNetworkStep,
  variables: readonly Variable[] = [],
  inputs: Partial<StepInputs> = {},
): Promise<StepOutcome> {
  return runner.runStep(definitionOf(step, variables), 0, { slotMs: 0, ...inputs });
}

function valuesOf(name: string, value: string): TemplateValues {
  const generated = { uuid: '', now: '', runId: '', region: '' };
  return { variables: new Map([[name, value]]), generated, secrets: new Map() };
}

const fillIn = createFillInKind();

function fillInWith(kind: Definition['kind'], step: SentNetworkStep, values: TemplateValues) {
  const definition = { ...definitionOf(step, []), kind };
  return fillIn({ definition, step, values, vars: [], secrets: [] });
}

describe.each(NETWORK_KINDS)('a step of the type %s', (type) => {
  it.each(['10.0.0.1', '169.254.169.254'])(
    'a step of each type cannot reach %s through a variable',
    async (value) => {
      const fields = targetFields(type, '{{target}}');
      // A domain check has no such field, because it connects to the registry and not to the host.
      expect(fields.length > 0).toBe(type !== 'domain');
      for (const { change } of fields) {
        const outcome = await run(stepOf(type, change), [{ name: 'target', value }]);
        expect(outcome).toMatchObject({ status: 'down', failure: { code: 'blocked_target' } });
        expect(JSON.stringify(outcome.response)).toBe('null');
      }
    },
  );

  it.each([
    ['a URL', 'https://a.example/'],
    ['two words', 'a b'],
    ['nothing', ''],
    ['300 letters', 'x'.repeat(300)],
    ['a line break', 'a\n'],
    ['a reference', '{{target}}'],
  ])('a step of each type refuses %s as a host, and names the field', async (_what, value) => {
    const step = stepOf(type, withHost(type, '{{target}}'));
    const [field] = Object.keys(withHost(type, ''));
    const { failure } = await run(step, [{ name: 'target', value }]);
    expect(failure).toMatchObject({
      code: 'template_error',
      message: expect.stringContaining(`After its variables are filled in, ${field} `),
    });
  });

  it("a step of each type sends nothing if a variable has no value, and reports the variable's name", async () => {
    const outcome = await run(stepOf(type, withHost(type, '{{target}}')));
    expect(outcome).toMatchObject({ missingVariable: 'target', request: null });
  });

  it('a step of each type accepts no secret in its host', async () => {
    const step = stepOf(type, withHost(type, '{{target}}'));
    const own = await run(step, [{ name: 'target', value: 'secret.example', secret: true }]);
    const handed = { name: 'target', value: 'secret.example', secret: true } as const;
    const given = await run(step, [], { vars: [handed] });
    for (const outcome of [own, given]) {
      expect(outcome.failure).toMatchObject({
        code: 'template_error',
        message:
          type === 'websocket'
            ? 'A URL must not contain a secret.'
            : 'A secret can only be used in what is sent.',
      });
      expect(JSON.stringify(outcome)).not.toContain('secret.example');
    }
  });
});

/** Sends back all bytes that it receives. */
const echo: Play = (socket) => {
  socket.on('data', (bytes: Buffer) => socket.write(bytes));
};

interface Meeting {
  readonly fields?: object;
  readonly extract?: readonly Extraction[];
  readonly variables?: readonly Variable[];
  readonly inputs?: Partial<StepInputs>;
}

/** Runs one TCP step against a target with this behaviour. */
async function meet(play: Play, meeting: Meeting): Promise<StepOutcome> {
  const { fields, extract, variables, inputs } = meeting;
  const { port, close } = await startTarget({ begins: 'connected', play });
  try {
    const step = stepOf('tcp', { host: '127.0.0.1', port, ...fields }, extract);
    return await run(step, variables, inputs);
  } finally {
    await close();
  }
}

it('a step fills variables into the sent and the expected text, and never treats their values as patterns', async () => {
  const asked = { fields: { host: '{{at}}', send: 'ECHO {{id}}', expect: '^ECHO {{id}}$' } };
  const variables = [
    { name: 'at', value: '127.0.0.1' },
    { name: 'id', value: '.*(a|b)' },
  ];
  expect(await meet(echo, { ...asked, variables })).toMatchObject({
    status: 'up',
    request: { method: 'TCP', url: expect.stringMatching(/^tcp:\/\/127\.0\.0\.1:\d+$/) },
  });
  const other = await meet(sayThenClose('ECHO anything a'), { ...asked, variables });
  expect(other).toMatchObject({ status: 'down', failure: { code: 'assertion_failed' } });
});

it.each([
  ['{{tenant}}.example.com', 'evil.example/', 'cannot be used in a host name'],
  ['a.example.com/{{tenant}}/events', '..', 'would change the path'],
])(
  'a step refuses a value that would change the host or path of wss://%s',
  async (at, value, message) => {
    const step = stepOf('websocket', { url: `wss://${at}` });
    const { failure } = await run(step, [{ name: 'tenant', value }]);
    expect(failure).toMatchObject({
      code: 'template_error',
      message: expect.stringContaining(message),
    });
  },
);

it('a step encodes values in the query of a URL', async () => {
  const step = stepOf('websocket', { url: 'ws://10.0.0.1/?id={{id}}' });
  expect(fillInWith('scenario', step, valuesOf('id', 'a&admin=1'))).toMatchObject({
    url: 'ws://10.0.0.1/?id=a%26admin%3D1',
  });
});

it('a step never expands references inside the value of a variable', async () => {
  const outcome = await meet(echo, {
    fields: { send: '{{given}}', expect: 'secret:token' },
    variables: [{ name: 'given', value: '{{secret:token}}' }],
    inputs: { secrets: [{ name: 'token', value: 'not-to-be-seen' }] },
  });
  expect(outcome).toMatchObject({ status: 'up', response: { bodyPreview: '{{secret:token}}' } });
});

it('a step extracts values from the response, by pattern and by JSON path', async () => {
  const outcome = await meet(say('{"build": 17, "name": "edge-4"}'), {
    fields: { expect: '\\}' },
    extract: [
      { variable: 'build', from: 'jsonPath', path: '$.build' },
      { variable: 'edge', from: 'body', pattern: 'edge-(\\d+)' },
      { variable: 'none', from: 'jsonPath', path: '$.none', default: 'x' },
    ],
  });
  expect(outcome).toMatchObject({
    status: 'up',
    extracted: [
      { name: 'build', value: 17 },
      { name: 'edge', value: '4' },
      { name: 'none', value: 'x' },
    ],
  });
});

it('a step fails if an extraction finds nothing, and keeps the values that were found earlier', async () => {
  const outcome = await meet(say('220 mail ready'), {
    fields: { expect: '220' },
    extract: [
      { variable: 'name', from: 'body', pattern: '220 (\\w+)' },
      { variable: 'id', from: 'jsonPath', path: '$.id' },
    ],
  });
  expect(outcome).toMatchObject({
    status: 'down',
    failure: { code: 'extraction_failed', message: 'Nothing was found for “id”.' },
    extracted: [{ name: 'name', value: 'mail' }],
  });
});

it('a step masks a secret that a target sends back, and treats values that contain the secret as secret', async () => {
  const outcome = await meet(echo, {
    fields: { send: 'AUTH {{secret:token}}', expect: 'AUTH' },
    extract: [{ variable: 'answer', from: 'body', pattern: '.*' }],
    inputs: { secrets: [{ name: 'token', value: 'swordfish-42' }] },
  });
  expect(JSON.stringify(outcome)).not.toContain('swordfish-42');
  expect(outcome.response?.bodyPreview).toContain(MASK);
});

it('a step never shows a secret that it extracts, and encrypts it together with its origin', async () => {
  const sealed: [string, unknown, Reach][] = [];
  const outcome = await meet(say('token=swordfish-42; ready'), {
    fields: { expect: 'ready' },
    extract: [{ variable: 'token', from: 'body', pattern: 'token=([^;]+)', secret: true }],
    inputs: {
      sealExtracted: (name, value, reach) => {
        sealed.push([name, value, reach]);
        return 'sealed';
      },
    },
  });
  expect(outcome).toMatchObject({
    status: 'up',
    extracted: [{ name: 'token', value: 'sealed', secret: true }],
  });
  expect(JSON.stringify(outcome)).not.toContain('swordfish');
  const origin = expect.stringMatching(/^tcp:\/\/127\.0\.0\.1:\d+$/);
  expect(sealed).toEqual([['token', 'swordfish-42', { origin, hosts: [] }]]);
});

it('a step hides the response if a secret that it should extract was not found', async () => {
  const outcome = await meet(say('key=swordfish-42; ready'), {
    fields: { expect: 'ready' },
    extract: [{ variable: 'token', from: 'body', pattern: 'token=([^;]+)', secret: true }],
  });
  expect(outcome).toMatchObject({
    failure: { code: 'extraction_failed' },
    response: { bodyPreview: null },
  });
  expect(JSON.stringify(outcome)).not.toContain('swordfish');
});

it('a step sends a secret of the account only to the targets that the definition names', async () => {
  const fields = { host: '{{at}}', send: '{{secret:token}}' };
  const secrets = [{ name: 'token', value: 'swordfish-42' }];
  const vars = [{ name: 'at', value: '127.0.0.1' }];
  const elsewhere = await meet(echo, { fields, inputs: { secrets, vars } });
  expect(elsewhere).toMatchObject({ status: 'unknown', failure: { code: 'secret_missing' } });
  const known = await meet(echo, { fields, inputs: { secrets }, variables: vars });
  expect(known).toMatchObject({ status: 'up' });
});

it('a step checks filled-in values against the limits of their fields', async () => {
  const outcome = await meet(echo, {
    fields: { send: '{{long}}' },
    variables: [{ name: 'long', value: 'x'.repeat(4_097) }],
  });
  expect(outcome.failure).toMatchObject({
    code: 'template_error',
    message: 'After its variables are filled in, send must have at most 4 KiB.',
  });
});

it.each(['tcp', 'websocket'] as const)(
  'a %s monitor may send a filled-in value that is empty or very long',
  (type) => {
    const step = stepOf(type, { send: '{{given}}' });
    for (const value of ['x'.repeat(5_000), ''])
      expect(fillInWith('monitor', step, valuesOf('given', value))).toEqual({
        ...step,
        settings: { ...step.settings, send: value },
      });
  },
);

it('a step without references is used unchanged, and searched for references only once', () => {
  const plain = stepOf('tcp', { send: 'PING' });
  expect(fillInWith('scenario', plain, valuesOf('any', 'x'))).toBe(plain);
  const looked: string[] = [];
  const { settings } = plain;
  const watched: SentNetworkStep = Object.defineProperty({ ...plain }, 'settings', {
    get: () => {
      looked.push('settings');
      return settings;
    },
  });
  fillInWith('scenario', watched, valuesOf('any', 'x'));
  const first = looked.length;
  fillInWith('scenario', watched, valuesOf('any', 'x'));
  expect([first > 0, looked.length]).toEqual([true, first]);
});
