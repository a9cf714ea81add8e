/** `auth` of monitors, steps and scenarios: what is refused, where, and with which words. */
import { validate } from '../../src/schemas/issues';
import { monitorBody } from '../../src/schemas/monitor';
import { scenarioBody } from '../../src/schemas/scenario';

const BASIC = { type: 'basic', user: 'ada', password: '{{secret:password}}' };
const BEARER = { type: 'bearer', token: '{{secret:token}}' };

function problemsOf(fields: object): readonly (readonly [string, string])[] {
  const checked = validate(monitorBody, { name: 'm', url: 'https://a.example/', ...fields });
  return checked.ok ? [] : checked.problems.map(({ path, message }) => [path, message]);
}

function problemsOfSteps(steps: readonly object[], fields: object = {}) {
  const named = steps.map((step, index) => ({
    name: `step ${index}`,
    url: 'https://a.example/',
    ...step,
  }));
  const checked = validate(scenarioBody, { name: 's', steps: named, ...fields });
  return checked.ok ? [] : checked.problems.map(({ path, message }) => [path, message]);
}

test.each([
  BASIC,
  BEARER,
  { ...BASIC, type: 'digest' },
  { type: 'none' },
  null,
  { type: 'basic', user: '{{secret:key}}', password: '' },
  { type: 'basic', user: '{{$region}}', password: '{{ secret:pass.word-1 }}' },
])('%j is accepted', (auth) => {
  expect(problemsOf({ auth })).toEqual([]);
  expect(problemsOfSteps([{ auth }], { auth })).toEqual([]);
});

test.each([
  ['password', { ...BASIC, password: 'hunter2' }],
  ['password', { ...BASIC, password: '{{$uuid}}' }],
  ['password', { ...BASIC, password: 'a{{secret:password}}' }],
  ['token', { ...BEARER, token: 'abc' }],
  ['token', { ...BEARER, token: 'Bearer {{secret:token}}' }],
  ['token', { ...BEARER, token: '' }],
])('a literal %s is refused, with how to make a secret: %j', (field, auth) => {
  const message =
    'must be {{secret:name}}: create a secret with PUT /v1/secrets/{name} {"value": "…"}, and name it here';
  expect(problemsOf({ auth })).toEqual([[`auth.${field}`, message]]);
  expect(problemsOfSteps([{}, { auth }])).toEqual([[`steps[1].auth.${field}`, message]]);
});

test('other faults name their field', () => {
  expect(problemsOf({ auth: { type: 'ntlm' } })).toEqual([
    ['auth.type', 'must be one of basic, digest, bearer, none'],
  ]);
  expect(problemsOf({ auth: { ...BEARER, user: 'ada' } })).toEqual([
    ['auth.user', 'is not a known field'],
  ]);
  expect(problemsOf({ auth: { ...BASIC, user: 'a:b' } })).toEqual([
    ['auth.user', 'must hold no colon: what follows it would be part of the password'],
  ]);
  expect(problemsOf({ auth: { ...BASIC, user: '{{nobody}}' } })).toEqual([
    ['auth.user', "uses {{nobody}}, which is not defined; as text, write {{'nobody'}}"],
  ]);
  expect(problemsOf({ type: 'ping', host: 'a.example', url: undefined, auth: BASIC })).toEqual([
    ['auth', 'is no field of the type ping'],
  ]);
});

test.each(['Authorization', 'AUTHORIZATION', 'authorization'])(
  'a header %s beside auth is refused, and both are named',
  (name) => {
    const headers = { [name]: 'Bearer {{secret:token}}' };
    const message = 'must be absent where there is auth, which sends it';
    expect(problemsOf({ auth: BASIC, headers })).toEqual([[`headers.${name}`, message]]);
    expect(problemsOf({ auth: { type: 'none' }, headers })).toEqual([]);
    expect(problemsOfSteps([{ auth: BASIC, headers }])).toEqual([
      [`steps[0].headers.${name}`, 'must be absent where there is steps[0].auth, which sends it'],
    ]);
    expect(problemsOfSteps([{ headers }], { auth: BASIC })).toEqual([
      [`steps[0].headers.${name}`, `${message}; or give the step auth: {type: "none"}`],
    ]);
    expect(problemsOfSteps([{ headers, auth: { type: 'none' } }], { auth: BASIC })).toEqual([]);
  },
);

test('what steps share may use what each of them knows, and is refused once', () => {
  const auth = { ...BASIC, user: '{{user}}' };
  const extract = { user: '$.user' };
  const message = "uses {{user}}, which is not defined; as text, write {{'user'}}";
  expect(problemsOfSteps([{ extract }, {}, {}], { auth })).toEqual([['auth.user', message]]);
  expect(problemsOfSteps([{ extract, auth: { type: 'none' } }, {}], { auth })).toEqual([]);
  expect(problemsOfSteps([{}, {}], { auth, variables: { user: 'ada' } })).toEqual([]);
});
