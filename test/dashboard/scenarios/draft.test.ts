/**
 * Tests the conversion between drafts and bodies of the API. It loses nothing, and problems have the paths of the API.
 */
import { NETWORK_KINDS } from '../../../src/contracts/kinds';
import {
  formatShortTarget,
  formatTarget,
  toDraft,
  toDraftStep,
} from '../../../src/dashboard/features/scenarios/draft/draft';
import { toBody, toBodyStep } from '../../../src/dashboard/features/scenarios/draft/draft-body';
import {
  findNewlyBroken,
  nameUses,
} from '../../../src/dashboard/features/scenarios/draft/references';
import { withReferencesRenamed } from '../../../src/dashboard/features/scenarios/draft/rename';
import { labelShared } from '../../../src/dashboard/features/scenarios/draft/shared-labels';
import {
  findProblems,
  findWarnings,
  type Problem,
} from '../../../src/dashboard/features/scenarios/draft/validation';
import { NO_BODY } from '../../../src/dashboard/shared/body/body-draft';
import { formatLabel } from '../../../src/dashboard/shared/form/problems/labels';
import { problemsUnder } from '../../../src/dashboard/shared/form/problems/problems';
import { validate } from '../../../src/schemas/issues';
import { scenarioBody } from '../../../src/schemas/scenario';
import { scenarioExample } from '../../../src/schemas/scenario-example';
import { LEAST, withHost } from '../../kinds/support/least';

function messageUnder(problems: readonly Problem[], path: string): string | undefined {
  const exact = problems.find((problem) => problem.path === path);
  return (exact ?? problemsUnder(problems, path)[0])?.message;
}

const rich = {
  name: 'Everything',
  interval: 60,
  regions: ['eu', 'us'],
  group: 'shop',
  tags: ['a'],
  key: 'everything',
  timeoutSeconds: 90,
  onFailure: 'continue',
  variables: {
    base: 'http://x',
    password: { secret: true },
    fresh: { value: 'abcd', secret: true },
  },
  alerts: {
    channels: ['email'],
    emails: ['a@example.com'],
    onFailure: true,
    onRecovery: false,
    onDegraded: false,
    remindEveryMinutes: null,
    policy: 'on-call',
  },
  steps: [
    {
      name: 'one',
      method: 'POST',
      url: '{{base}}/a',
      headers: { 'x-a': '1' },
      body: { a: ['{{base}}', 1, null] },
      extract: {
        id: '$.id',
        token: { from: 'jsonPath', path: '$.token', secret: true },
        next: { from: 'jsonPath', path: '$.next', resolve: true },
        order: { from: 'header', name: 'Location', resolve: true },
        kind: { from: 'header', name: 'content-type', default: 'text' },
        code: { from: 'status' },
        word: { from: 'body', pattern: 'a(b)', default: '12' },
      },
      assertions: [{ type: 'status', operator: 'equals', value: 200 }],
      timeoutMs: 5000,
      retries: 2,
      followRedirects: false,
      always: true,
      waitSeconds: 30,
      until: { everySeconds: 5, forSeconds: 60 },
    },
    { name: 'two', method: 'PUT', url: 'http://x', body: 'plain {{id}}' },
  ],
};

describe('A draft', () => {
  it('a draft that is made from a body gives the same body', () => {
    expect(toBody(toDraft(rich))).toEqual(rich);
  });

  it('a draft that is made from the example gives a body that is equivalent to the example', () => {
    const again = validate(scenarioBody, toBody(toDraft(scenarioExample)));
    expect(again).toEqual(validate(scenarioBody, scenarioExample));
    expect(again.ok).toBe(true);
  });

  it('a draft keeps a stored secret when its field stays empty, and sends a secret that is typed', () => {
    const draft = toDraft(rich);
    const typed = draft.variables.map((row) =>
      row.name === 'password' ? { ...row, value: 'new-one' } : row,
    );
    expect(toBody(draft)['variables']).toMatchObject({ password: { secret: true } });
    expect(toBody({ ...draft, variables: typed })['variables']).toMatchObject({
      password: { value: 'new-one', secret: true },
    });
  });

  it('a draft never throws for any body', () => {
    for (const body of [
      null,
      7,
      [],
      { steps: [null, 'x', { extract: [1] }] },
      { variables: 'x' },
    ]) {
      expect(() => findProblems(toDraft(body))).not.toThrow();
    }
  });
});

describe('The problems of a draft', () => {
  it('the draft of the example has no problems', () => {
    expect(findProblems(toDraft(scenarioExample))).toEqual([]);
  });

  it('a draft has a problem at each field that uses an unknown variable or a variable of a later step', () => {
    const draft = toDraft({ ...scenarioExample, steps: [...scenarioExample.steps].reverse() });
    expect(messageUnder(findProblems(draft), 'steps[0].url')).toContain('{{orderId}}');
    expect(messageUnder(findProblems(draft), 'steps[0].headers')).toContain('{{token}}');
  });

  it('the problems of a draft include a body that is not JSON, a duplicate row and a missing secret value', () => {
    const draft = toDraft(rich);
    const [step] = draft.steps;
    const [header] = step?.headers ?? [];
    if (step === undefined || header === undefined) throw new Error('There is no step.');
    const broken = {
      ...draft,
      variables: [
        { rowId: 'x', name: 'pin', value: '', isSecret: true, isStored: false },
        ...draft.variables,
      ],
      steps: [
        {
          ...step,
          body: { ...NO_BODY, mode: 'json' as const, text: '{' },
          headers: [header, { ...header, rowId: 'other' }],
        },
      ],
    };
    const problems = findProblems(broken);
    expect(messageUnder(problems, 'steps[0].body')).toMatch(/^must be valid JSON/);
    expect(messageUnder(problems, 'steps[0].headers.x-a')).toBe('is given twice');
    expect(messageUnder(problems, 'variables.pin')).toBe('is required');
  });

  it('the problems of a draft include steps with the same name, with their positions', () => {
    const [first] = scenarioExample.steps;
    const draft = toDraft({ ...scenarioExample, steps: [first, first] });
    const problem = findProblems(draft).find(({ code }) => code === 'duplicate_name');
    expect(problem?.path).toBe('steps[1].name');
    expect(
      formatLabel(problem?.path ?? '', { stepNames: draft.steps.map(({ name }) => name) }),
    ).toBe('Step 2 “log in” › Name');
  });

  it('the problems of a draft include warnings about missing secrets, which do not prevent saving', () => {
    const draft = toDraft({
      name: 'a',
      steps: [{ name: 'one', url: 'http://x', headers: { authorization: '{{secret:key}}' } }],
    });
    expect(findProblems(draft)).toEqual([]);
    expect(findWarnings(draft, ['key'])).toEqual([]);
    expect(findWarnings(draft, [])).toMatchObject([{ path: 'steps[0]', code: 'unknown_secret' }]);
  });
});

describe.each(NETWORK_KINDS)('A step of the type %s', (type) => {
  const least = { type, name: 'check', ...LEAST[type] };
  const body = {
    name: 'rich',
    interval: 300,
    variables: { first: 'a', second: 'b' },
    steps: [
      { ...least, ...withHost(type, '{{first}}'), retries: 2, always: true, waitSeconds: 5 },
      { ...least, name: 'last', until: { everySeconds: 5, forSeconds: 60 } },
    ],
  };
  const draft = toDraft(body);
  const [step] = draft.steps;

  it('a step of each type keeps its meaning when its body becomes a draft and a body again', () => {
    expect(toBody(draft)).toEqual(body);
    expect(validate(scenarioBody, toBody(draft))).toEqual(validate(scenarioBody, body));
    expect(findProblems(draft)).toEqual([]);
  });

  it('a step of each type omits fields that were typed for another type', () => {
    if (step === undefined) throw new Error('there is a step');
    const others = NETWORK_KINDS.map((other) => toDraftStep({ type: other, ...LEAST[other] }));
    const fields = Object.assign({}, ...others.map((one) => one.fields), step.fields);
    const left = toBodyStep({ ...step, fields, url: 'https://a.example' });
    expect(left).toMatchObject({ ...body.steps[0] });
    expect(validate(scenarioBody, { ...body, steps: [left] })).toMatchObject({ ok: true });
  });

  it('a step of each type is summarized by its target', () => {
    expect(step && formatTarget(step)).toMatch(
      new RegExp(String.raw`^${type.toUpperCase()} .*\{\{first\}\}`),
    );
  });

  it('a step of each type handles variables in the same way as a request', () => {
    expect(nameUses(draft).map(({ usedIn }) => usedIn.length)).toEqual([1, 0]);
    const without = { ...draft, variables: draft.variables.slice(1) };
    expect(findNewlyBroken(draft, without)).toMatchObject([
      { stepName: 'check', variable: 'first' },
    ]);
    const rowId = draft.variables[0]?.rowId ?? '';
    const renamed = withReferencesRenamed(draft, { rowId, from: 'first', to: 'place' });
    expect(renamed).toMatchObject({
      count: 1,
      draft: { steps: [{ fields: withHost(type, '{{place}}') }, {}] },
    });
  });
});

test.each([
  ['{{baseUrl}}/orders/{{orderId}}', 'GET /orders/{{orderId}}'],
  ['{{baseUrl}}', 'GET {{baseUrl}}'],
  ['{{shopUrl}}/orders', 'GET {{shopUrl}}/orders'],
  ['https://api.example.com/{{baseUrl}}/', 'GET https://api.example.com/{{baseUrl}}/'],
])('the card of a step shows the URL %s as “%s”', (url, shown) => {
  expect(formatShortTarget(toDraftStep({ name: 'one', url }))).toBe(shown);
});

test('a step names what it uses of its scenario, and nothing that the scenario does not set', () => {
  expect(labelShared(toDraft(rich))).toEqual({ auth: null, trust: null });
  const auth = { type: 'bearer', token: 't' };
  const tls = { trust: 'unchecked' };
  expect(labelShared(toDraft({ ...rich, auth, tls }))).toEqual({
    auth: 'Use the scenario’s authentication: Token (bearer)',
    trust: 'Use the scenario’s choice: Any certificate (unchecked)',
  });
});
