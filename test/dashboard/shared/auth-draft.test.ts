/** Tests authentication in forms: what is read and sent, and what renaming a variable changes. */
import { toDraft } from '../../../src/dashboard/features/scenarios/draft/draft';
import { toBody } from '../../../src/dashboard/features/scenarios/draft/draft-body';
import { namesBefore, nameUses } from '../../../src/dashboard/features/scenarios/draft/references';
import { withReferencesRenamed } from '../../../src/dashboard/features/scenarios/draft/rename';
import { findProblems } from '../../../src/dashboard/features/scenarios/draft/validation';
import { authBody, readAuth, shownInputs } from '../../../src/dashboard/shared/auth/auth-draft';
import { readRequest, requestBody } from '../../../src/dashboard/shared/definition/request-draft';

const BASIC = { type: 'basic', user: '{{user}}', password: '{{secret:password}}' };

const OAUTH = {
  type: 'oauth2',
  grant: 'clientCredentials',
  tokenUrl: 'https://idp.example/token',
  clientId: 'shop',
  clientSecret: '{{secret:client}}',
  sendAs: 'header',
};
const SIGV4 = {
  type: 'sigv4',
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: '{{secret:aws}}',
  region: 'eu-central-1',
  service: 's3',
};

test.each([
  BASIC,
  { ...BASIC, type: 'digest' },
  { type: 'bearer', token: '' },
  OAUTH,
  {
    ...OAUTH,
    grant: 'password',
    user: 'ada',
    password: '{{secret:password}}',
    scope: 'read',
    audience: 'a',
    sendAs: 'body',
    extra: { resource: 'urn:shop', claims: 'a=b', empty: '' },
  },
  SIGV4,
  { ...SIGV4, sessionToken: '{{secret:session}}' },
  { type: 'none' },
])('the authentication %j is sent back unchanged', (auth) => {
  expect(authBody(readAuth(auth))).toEqual({ auth });
  expect(requestBody(readRequest({ url: 'https://a.example', auth }))).toMatchObject({ auth });
});

test.each([null, undefined, {}, { type: 'ntlm', user: 'a' }, 'basic'])(
  'the authentication %j is read as no authentication',
  (auth) => {
    expect(authBody(readAuth(auth))).toEqual({});
  },
);

test('switching the type of authentication and back keeps typed values', () => {
  const draft = readAuth(BASIC);
  const other = { ...draft, type: 'bearer' } as const;
  expect(authBody(other)).toEqual({ auth: { type: 'bearer', token: '' } });
  expect(authBody({ ...other, type: 'digest' })).toEqual({ auth: { ...BASIC, type: 'digest' } });
});

test('OAuth settings show and send only the fields of the chosen grant, and the default is the first choice', () => {
  const draft = readAuth({ ...OAUTH, grant: 'password', user: 'ada', sendAs: undefined });
  expect(authBody(draft)).toMatchObject({ auth: { user: 'ada', password: '', sendAs: 'header' } });
  const other = { ...draft, texts: { ...draft.texts, grant: 'clientCredentials' } };
  expect(authBody(other)).toEqual({ auth: OAUTH });
  expect(shownInputs(other).map(({ name }) => name)).not.toContain('user');
});

describe('authentication of a scenario', () => {
  const step = (name: string, more: object = {}) => ({ name, url: 'https://a.example/', ...more });
  const draft = toDraft({
    name: 's',
    variables: { user: 'ada' },
    auth: BASIC,
    steps: [step('a'), step('b', { auth: { type: 'none' } })],
  });

  test('authentication of a scenario is kept, and variables in it count as used if steps inherit the authentication', () => {
    expect(findProblems(draft)).toEqual([]);
    expect(toBody(draft)).toMatchObject({ auth: BASIC, steps: [{}, { auth: { type: 'none' } }] });
    expect(namesBefore(draft, 0)).toHaveLength(1);
    expect(nameUses(draft)).toMatchObject([{ name: 'user', usedIn: [draft.steps[0]?.id] }]);
  });

  test('renaming a variable of a scenario also renames the variable in the authentication', () => {
    const rowId = draft.variables[0]?.rowId ?? '';
    const renamed = withReferencesRenamed(draft, { rowId, from: 'user', to: 'person' });
    expect(renamed?.count).toBe(1);
    expect(toBody(renamed?.draft ?? draft)).toMatchObject({ auth: { user: '{{person}}' } });
  });
});
