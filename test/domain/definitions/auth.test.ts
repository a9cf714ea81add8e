/** Tests that a request uses its own authentication, the authentication of its scenario, or none. */
import type { Auth, SentNetworkStep, StepDefinition } from '../../../src/contracts/definition';
import {
  listStepUrls,
  listTokenUrls,
  toStoredAuth,
  withSentAuth,
} from '../../../src/domain/definitions/auth';
import { buildDefinition } from '../../support/step-builder';

const BEARER: Auth = { type: 'bearer', token: '{{secret:token}}' };
const BASIC: Auth = { type: 'basic', user: 'ada', password: '{{secret:password}}' };
const OAUTH: Auth = {
  type: 'oauth2',
  grant: 'clientCredentials',
  tokenUrl: 'https://login.example.com/token',
  clientId: 'shop',
  clientSecret: '{{secret:client}}',
  sendAs: 'header',
};
const DOMAIN: SentNetworkStep = {
  name: 'registered',
  type: 'domain',
  url: 'domain://example.com',
  settings: { host: 'example.com', warnDays: [] },
  timeoutMs: 2_000,
  retries: 0,
  degradedAboveMs: null,
  tlsWarnDays: [],
};

const stepsWith = (changes: Partial<StepDefinition>) => buildDefinition(changes).steps;

test('a definition without authentication is stored without an `auth` field', () => {
  expect(toStoredAuth(null)).toEqual({});
  expect(toStoredAuth(BASIC)).toEqual({ auth: BASIC });
});

test.each<[string, Partial<StepDefinition>, Auth | undefined, Auth | undefined]>([
  ['the authentication of its scenario if the step sets none', {}, BEARER, BEARER],
  [
    'the authentication of its step rather than that of its scenario',
    { auth: BASIC },
    BEARER,
    BASIC,
  ],
  [
    'no authentication if its step turns it off',
    { auth: { type: 'none' } },
    BEARER,
    { type: 'none' },
  ],
  ['no authentication if neither step nor scenario sets any', {}, undefined, undefined],
])('the request of a step uses %s', (_rule, own, shared, sent) => {
  const steps = stepsWith(own).map((step) => withSentAuth(step, { auth: shared }));
  expect(steps).toEqual(stepsWith({ auth: sent }));
});

test('a domain check ignores the authentication of its scenario', () => {
  expect(withSentAuth(DOMAIN, { auth: BEARER })).toEqual(DOMAIN);
});

test('the URLs of a step include the URL from which its OAuth token is requested', () => {
  expect(listTokenUrls({ auth: OAUTH })).toEqual(['https://login.example.com/token']);
  expect([BASIC, null, undefined].map((auth) => listTokenUrls({ auth }))).toEqual([[], [], []]);
  const url = 'https://shop.example.com/';
  expect(stepsWith({ url, auth: OAUTH }).map(listStepUrls)).toEqual([
    [url, 'https://login.example.com/token'],
  ]);
  expect(listStepUrls({ url })).toEqual([url]);
});
