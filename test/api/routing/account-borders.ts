/** Helpers that find out what a response reveals to a caller who names an object of another account. */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { Route } from '../../../src/api/routing/route';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Headers that may differ between two responses to the same request. */
const OWN_HEADERS = ['date', 'x-request-id', 'ratelimit', 'keep-alive', 'etag', 'location'];
/** Ids, instants and hashes that the service generated for the response. */
const MADE_UP = /planHash\W+[\w-]+|\b[a-z]{3}_[0-9a-z]{16,}\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/**
 * Returns the status, headers and text of a response, without the values that the request named and without generated
 * values.
 */
export function learnFrom({ status, headers, text }: Answer, named: readonly string[]): string {
  const kept = Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name));
  const learned = JSON.stringify([status, Object.fromEntries(kept), text]);
  return named
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, name) => rest.replaceAll(name, '<named>'), learned)
    .replaceAll(MADE_UP, '<new>');
}

/** Returns an id of the same kind and length that belongs to no object. */
export function unusedLike(id: string): string {
  return id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');
}

/** The names of the query parameters of a route. */
export function listParameters({ shapes }: Route): readonly string[] {
  const { properties = {} } = z.toJSONSchema(shapes.query, { io: 'input', unrepresentable: 'any' });
  return Object.keys(properties);
}

/** The query parameters of a route that can name an object. */
export function listNamingParameters(entry: Route): readonly string[] {
  return listParameters(entry).filter((name) => Object.hasOwn(KIND_OF_PARAMETER, name));
}

/** The kind of id of each query parameter that names an object. */
export const KIND_OF_PARAMETER: Readonly<Record<string, string>> = {
  ids: 'monitorId',
  resourceId: 'monitorId',
  incidentId: 'incidentId',
  pageId: 'pageId',
  postId: 'postId',
  noticeId: 'postId',
  subscriberId: 'subscriberId',
  requestId: 'runId',
  profile: 'key',
  environment: 'key',
  hours: 'key',
  group: 'key',
  tag: 'key',
  actor: 'memberId',
};

/** Query parameters that name no object of an account. */
export const NAMELESS_PARAMETERS: ReadonlySet<string> = new Set([
  'limit',
  'cursor',
  'from',
  'to',
  'order',
  'include',
  'format',
  'set',
  'wait',
  'next',
  'state',
  'health',
  'status',
  'region',
  'type',
  'trigger',
  'action',
  'q',
  'window',
]);

interface Reference {
  readonly endpoint: `${'POST' | 'PUT' | 'PATCH'} /v1/${string}`;
  /** Returns a body that names the object with this id. `key` is the key of the object that the request creates. */
  readonly body: (id: string, key: string) => object;
  /** The kind of the named id, or `key` if the body names an object by key. */
  readonly kind: string;
}

const HTTP = { name: 'x', url: 'http://example.com' };

/** Every way in which a body can name an object of its account. */
export const REFERENCES: readonly Reference[] = [
  ...['monitorId', 'scenarioId', 'key'].map((kind) => ({
    endpoint: 'POST /v1/monitors' as const,
    kind,
    body: (id: string) => ({ ...HTTP, dependsOn: [id] }),
  })),
  ...['channelId'].map((kind) => ({
    endpoint: 'POST /v1/monitors' as const,
    kind,
    body: (id: string) => ({ ...HTTP, alerts: { channels: [id] } }),
  })),
  ...['key'].map((kind) => ({
    endpoint: 'POST /v1/monitors' as const,
    kind,
    body: (id: string) => ({ ...HTTP, alerts: { policy: id } }),
  })),
  ...['profile', 'environment', 'hours'].map((field) => ({
    endpoint: 'POST /v1/monitors' as const,
    kind: 'key',
    body: (id: string) => ({ ...HTTP, [field]: id }),
  })),
  {
    endpoint: 'POST /v1/monitors',
    kind: 'secretName',
    body: (id) => ({ ...HTTP, headers: { 'X-Key': `{{secret:${id}}}` } }),
  },
  {
    endpoint: 'POST /v1/monitors/test',
    kind: 'secretName',
    body: (id) => ({ ...HTTP, region: 'eu-west', headers: { 'X-Key': `{{secret:${id}}}` } }),
  },
  {
    endpoint: 'POST /v1/scenarios',
    kind: 'key',
    body: (id) => ({ name: 'x', environment: id, steps: [{ ...HTTP, name: 'a' }] }),
  },
  {
    endpoint: 'POST /v1/environments',
    kind: 'secretName',
    body: (id, key) => ({ key, name: 'x', secrets: { token: id } }),
  },
  ...['channelId', 'key'].map((kind) => ({
    endpoint: 'POST /v1/alert-policies' as const,
    kind,
    body: (id: string, key: string) => ({
      name: 'x',
      key,
      steps: [{ afterMinutes: 0, notify: [id] }],
    }),
  })),
  {
    endpoint: 'POST /v1/alert-channels',
    kind: 'key',
    body: (id) => ({ name: 'x', type: 'email', emails: ['a@example.com'], fallback: id }),
  },
  {
    endpoint: 'PUT /v1/alert-routes',
    kind: 'key',
    body: (id) => ({ routes: [{ match: { tags: ['x'] }, policy: id }] }),
  },
  {
    endpoint: 'POST /v1/alert-routes/simulate',
    kind: 'monitorId',
    body: (id) => ({ resourceId: id, at: '2026-01-31T12:00:00Z' }),
  },
  ...['monitorId', 'scenarioId'].map((kind) => ({
    endpoint: 'POST /v1/maintenance-windows/now' as const,
    kind,
    body: (id: string) => ({ minutes: 5, target: { ids: [id] } }),
  })),
  ...['POST /v1/status-pages', 'POST /v1/status-pages/preview'].map((endpoint) => ({
    endpoint: endpoint as 'POST /v1/status-pages',
    kind: 'monitorId',
    body: (id: string, key: string) => ({
      slug: key,
      title: 'x',
      groups: [{ name: 'g', items: [{ id, name: 'i' }] }],
    }),
  })),
  ...['POST /v1/status-page-posts', 'POST /v1/status-page-posts/preview'].map((endpoint) => ({
    endpoint: endpoint as 'POST /v1/status-page-posts',
    kind: 'pageId',
    body: (id: string) => ({ pageId: id, title: 't', text: 'x' }),
  })),
  ...['POST /v1/monitors/bulk', 'POST /v1/checks/bulk'].map((endpoint) => ({
    endpoint: endpoint as 'POST /v1/monitors/bulk',
    kind: 'monitorId',
    body: (id: string) => ({ ids: [id], action: 'pause' }),
  })),
  {
    endpoint: 'POST /v1/checks/bulk',
    kind: 'scenarioId',
    body: (id) => ({ ids: [id], action: 'set', set: { tags: ['x'] } }),
  },
  {
    endpoint: 'POST /v1/apply',
    kind: 'key',
    body: (id) => ({ dryRun: true, monitors: [{ ...HTTP, key: 'x', dependsOn: [id] }] }),
  },
];
