/** Tests `auth` of monitors, steps and scenarios: what is refused, at which field, and with which message. */
import { validate } from '../../src/schemas/issues';
import { monitorBody } from '../../src/schemas/monitor';
import { scenarioBody } from '../../src/schemas/scenario';

const BASIC = { type: 'basic', user: 'ada', password: '{{secret:password}}' };
const BEARER = { type: 'bearer', token: '{{secret:token}}' };
const OAUTH = {
  type: 'oauth2',
  tokenUrl: 'https://idp.example/token',
  clientId: 'shop',
  clientSecret: '{{secret:client}}',
};
const SIGV4 = {
  type: 'sigv4',
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: '{{secret:aws}}',
  region: 'eu-central-1',
  service: 'execute-api',
};

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
  OAUTH,
  { ...OAUTH, grant: 'password', user: 'ada', password: '{{secret:password}}', clientSecret: '' },
  { ...OAUTH, scope: 'read', audience: 'a', sendAs: 'body', extra: { resource: '{{secret:r}}' } },
  { ...OAUTH, tokenUrl: '{{$region}}.idp.example/token' },
  SIGV4,
  { ...SIGV4, sessionToken: '{{secret:session}}', accessKeyId: '{{secret:aws-key}}' },
  { type: 'none' },
  null,
  { type: 'basic', user: '{{secret:key}}', password: '' },
  { type: 'basic', user: '{{$region}}', password: '{{ secret:pass.word-1 }}' },
])('the authentication settings %j are accepted', (auth) => {
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
  ['extra.api_key', { ...OAUTH, extra: { resource: 'urn:shop', api_key: 'abc' } }],
  ['clientSecret', { ...OAUTH, clientSecret: 's3cr3t' }],
  ['password', { ...OAUTH, grant: 'password', user: 'ada', password: 'hunter2' }],
  ['secretAccessKey', { ...SIGV4, secretAccessKey: 'wJalrXUtnFEMI' }],
  ['sessionToken', { ...SIGV4, sessionToken: 'FwoGZXIvYXdz' }],
])('a literal %s is refused, with advice how to create a secret: %j', (field, auth) => {
  const message =
    'must be {{secret:name}}: create a secret with keepwatch secrets set NAME or PUT /v1/secrets/{name} {"value": "…"}, and name it here';
  expect(problemsOf({ auth })).toEqual([[`auth.${field}`, message]]);
  expect(problemsOfSteps([{}, { auth }])).toEqual([[`steps[1].auth.${field}`, message]]);
});

test('each problem of an authentication is reported at its field', () => {
  expect(problemsOf({ auth: { type: 'ntlm' } })).toEqual([
    ['auth.type', 'must be one of basic, digest, bearer, oauth2, sigv4, none'],
  ]);
  expect(problemsOf({ auth: { ...BEARER, user: 'ada' } })).toEqual([
    ['auth.user', 'is not a known field'],
  ]);
  expect(problemsOf({ auth: { ...BASIC, user: 'a:b' } })).toEqual([
    [
      'auth.user',
      'must not contain a colon, because the server would read the rest as the password',
    ],
  ]);
  expect(problemsOf({ auth: { ...BASIC, user: '{{nobody}}' } })).toEqual([
    ['auth.user', "uses {{nobody}}, which is not defined; for literal text, write {{'nobody'}}"],
  ]);
  expect(problemsOf({ type: 'ping', host: 'a.example', url: undefined, auth: BASIC })).toEqual([
    ['auth', 'is not a field of the type ping'],
  ]);
});

test.each(['Authorization', 'AUTHORIZATION', 'authorization'])(
  'a header %s together with auth is refused, and the problem names both',
  (name) => {
    const headers = { [name]: 'Bearer {{secret:token}}' };
    const message = 'cannot be combined with auth, which sends it: remove one of them';
    expect(problemsOf({ auth: BASIC, headers })).toEqual([[`headers.${name}`, message]]);
    expect(problemsOf({ auth: { type: 'none' }, headers })).toEqual([]);
    expect(problemsOfSteps([{ auth: BASIC, headers }])).toEqual([
      [
        `steps[0].headers.${name}`,
        'cannot be combined with steps[0].auth, which sends it: remove one of them',
      ],
    ]);
    expect(problemsOfSteps([{ headers }], { auth: BASIC })).toEqual([
      [`steps[0].headers.${name}`, `${message}, or give the step auth: {type: "none"}`],
    ]);
    expect(problemsOfSteps([{ headers, auth: { type: 'none' } }], { auth: BASIC })).toEqual([]);
  },
);

test.each([
  'http://idp.example/token',
  'http://192.0.2.7.nip.io/token',
  'http://8.8.8.8/token',
  'http://[2606:4700::1111]/token',
])('credentials cannot be sent unencrypted to %s', (tokenUrl) => {
  const message =
    'must be https, because http would send the credentials unencrypted. Only private hosts may use http';
  expect(problemsOf({ auth: { ...OAUTH, tokenUrl } })).toEqual([['auth.tokenUrl', message]]);
});

test.each([
  'http://localhost:8080/token',
  'http://127.0.0.1/token',
  'http://10.1.2.3/token',
  'http://[fd00::7]:8080/token',
  'http://keycloak:8080/realms/shop/protocol/openid-connect/token',
  'http://idp.corp.internal/token',
])('an OAuth token may be requested unencrypted from %s in a private network', (tokenUrl) => {
  expect(problemsOf({ auth: { ...OAUTH, tokenUrl } })).toEqual([]);
});

test('problems of a token request name their fields, all at once', () => {
  const auth = {
    ...OAUTH,
    tokenUrl: 'https://idp.example/{{secret:tenant}}',
    user: 'ada',
    extra: { scope: 'read', grant_type: 'implicit', resource: '{{nobody}}' },
  };
  const found = [
    ['auth.user', 'is only allowed with grant: "password"'],
    ['auth.extra.scope', 'must be set in the field scope'],
    ['auth.extra.grant_type', 'must be set in the field grant'],
    [
      'auth.extra.resource',
      "uses {{nobody}}, which is not defined; for literal text, write {{'nobody'}}",
    ],
    ['auth.tokenUrl', 'must not contain a secret: URLs are logged; use a header or the body'],
  ] as const;
  const sorted = (list: readonly (readonly [string, string])[]) =>
    list.toSorted(([one], [other]) => (one < other ? -1 : 1));
  expect(sorted(problemsOf({ auth }))).toEqual(sorted(found));
  expect(problemsOf({ auth: { ...OAUTH, grant: 'password', user: 'ada' } })).toEqual([
    ['auth.password', 'is required with grant: "password"'],
  ]);
  expect(problemsOf({ auth: { ...OAUTH, grant: 'implicit', tokenUrl: 'idp' } })).toEqual([
    ['auth.grant', 'must be one of clientCredentials, password'],
    ['auth.tokenUrl', 'must begin with http:// or https://'],
  ]);
});

test('authentication is refused together with a header that the signature sets itself', () => {
  const message = 'cannot be combined with auth, which sends it: remove one of them';
  const headers = { 'X-Amz-Date': '20150830T123600Z', 'X-Amz-Target': 'Shop.List' };
  expect(problemsOf({ auth: SIGV4, headers })).toEqual([['headers.X-Amz-Date', message]]);
  expect(problemsOf({ auth: BASIC, headers })).toEqual([]);
});

test('the authentication of a scenario may use only variables that are defined before each step that uses it', () => {
  const auth = { ...BASIC, user: '{{user}}' };
  const extract = { user: '$.user' };
  const message = "uses {{user}}, which is not defined; for literal text, write {{'user'}}";
  expect(problemsOfSteps([{ extract }, {}, {}], { auth })).toEqual([['auth.user', message]]);
  expect(problemsOfSteps([{ extract, auth: { type: 'none' } }, {}], { auth })).toEqual([]);
  expect(problemsOfSteps([{}, {}], { auth, variables: { user: 'ada' } })).toEqual([]);
});
