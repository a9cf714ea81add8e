/** Tests the paths shown in traces. They contain ids, but no secrets and no texts that people typed. */
import { formatTracedPath } from '../../../src/api/server/traced-path';

const ID = `mon_01arz3ndektsv4rrffq69g5fav`;

test.each([
  ['/v1/monitors', '/v1/monitors', '/v1/monitors'],
  ['/v1/monitors/:monitorId', `/v1/monitors/${ID}`, `/v1/monitors/${ID}`],
  [
    '/v1/monitors/:monitorId/results/:resultId',
    `/v1/monitors/${ID}/results/r1`,
    `/v1/monitors/${ID}/results/{resultId}`,
  ],
  ['/v1/monitors/:monitorId', '/v1/monitors/what%20ever', '/v1/monitors/{monitorId}'],
  ['/v1/secrets/:name', '/v1/secrets/STRIPE_KEY', '/v1/secrets/{name}'],
  ['/ping/:token', '/ping/a-token/fail', '/ping/{token}'],
  ['/v1/monitors/:monitorId', '/v1', '/v1/monitors/{monitorId}'],
])('the route %s, requested as %s, is shown as %s in traces', (route, path, shown) => {
  expect(formatTracedPath(route, path)).toBe(shown);
});
