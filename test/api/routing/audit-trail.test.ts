/**
 * Tests that every route that changes something has an action in the audit trail, and that the changed resource can be
 * read.
 */
import { findReader } from '../../../src/api/routing/audit-trail';
import type { Route } from '../../../src/api/routing/route';
import { ROUTES } from '../../../src/api/v1/route-table';

const routes = ROUTES;
const changing = routes.filter(({ method }) => method !== 'GET');

test.each([
  ['POST /v1/monitors', 'monitor.create', null],
  ['PUT /v1/monitors/:monitorId', 'monitor.put', 'GET /v1/monitors/:monitorId'],
  ['POST /v1/monitors/:monitorId/pause', 'monitor.pause', 'GET /v1/monitors/:monitorId'],
  [
    'DELETE /v1/alert-channels/:channelId',
    'alert_channel.delete',
    'GET /v1/alert-channels/:channelId',
  ],
  [
    'POST /v1/scenarios/:scenarioId/results/:runId/cancel',
    'run.cancel',
    'GET /v1/scenarios/:scenarioId/results/:runId',
  ],
  ['PATCH /v1/account', 'account.update', 'GET /v1/account'],
  ['POST /v1/password', 'password.change', null],
] as const)('the route %s is recorded in the audit trail as %s', (endpoint, action, reader) => {
  const entry = routes.find(({ method, path }) => `${method} ${path}` === endpoint) as Route;
  expect(entry.audit?.action).toBe(action);
  const found = findReader(entry, routes);
  expect(found === null ? null : `${found.method} ${found.path}`).toBe(reader);
});

test('every route has an audit action, except routes that are never recorded', () => {
  const nameless = changing.filter((entry) => entry.audit === null);
  // Routes that are never recorded. Tests and previews change nothing. The person who requests a link is unknown.
  // Challenges and proofs change no resource.
  expect(nameless.map(({ path }) => path).sort()).toEqual([
    '/v1/alert-channels/:channelId/preview',
    '/v1/alert-channels/preview',
    '/v1/alert-policies/:policyId/simulate',
    '/v1/alert-routes/simulate',
    '/v1/monitors/test',
    '/v1/password/reset-request',
    '/v1/registrations',
    '/v1/scenarios/test',
    '/v1/session/factors/passkeys/options',
    '/v1/session/factors/totp',
    '/v1/session/proof',
    '/v1/sign-in/passkey/options',
    '/v1/status-page-posts/preview',
    '/v1/status-pages/preview',
  ]);
  for (const entry of changing) expect(entry.audit?.action ?? 'a.b').toMatch(/^[a-z_]+\.[a-z_]+$/);
});

test('every resource that can be changed can also be read, except sessions and sign-in data', () => {
  const unread = changing.filter(
    (entry) => entry.path.includes(':') && findReader(entry, routes) === null,
  );
  expect(unread.map(({ path }) => path)).toEqual([
    '/v1/sessions/:sessionId',
    '/v1/sign-in/oidc/:providerId/logout',
    '/v1/session/factors/passkeys/:passkeyId',
    '/v1/session/factors/passkeys/:passkeyId',
    '/v1/session/identities/:providerId',
  ]);
});
