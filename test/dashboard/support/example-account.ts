/** Opens a dashboard of an account with objects of every kind, which are working, failing or pending. */
import { z } from 'zod';
import { startLoopbackServer } from '../../support/loopback-server';
import { type Dashboard, suiteDashboard } from './dashboard';

const ANY = z.looseObject({ id: z.string() });
const PAGE = z.object({ data: z.array(ANY) });

interface ExampleAccount {
  readonly dashboard: Dashboard;
  /** Returns the id of an object for use in URLs. The names are: monitor, broken, scenario, run, incident, page. */
  readonly idOf: (name: string) => string;
}

export function suiteExampleAccount(): ExampleAccount {
  let ids: Readonly<Record<string, string>> = {};
  const dashboard = suiteDashboard(async (opened) => {
    ids = await fill(opened);
  });
  return { dashboard, idOf: (name) => ids[name] ?? '' };
}

async function fill(dashboard: Dashboard): Promise<Record<string, string>> {
  const target = await startLoopbackServer(({ url }, response) => {
    response.writeHead(url?.startsWith('/broken') ? 500 : 200, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify({ status: 'ok', token: 'abc' }));
  });
  const resources = await createResources(dashboard, target.url);
  const { api, probe } = dashboard;
  await probe.check(resources.monitor);
  await probe.check(resources.broken);
  const run = await probe.run(resources.scenario);
  await target.close();
  const path = `/v1/incidents?resourceId=${resources.broken}`;
  const incidents = await api.call({ method: 'GET', path }, { status: 200, shape: PAGE });
  return { ...resources, run, incident: incidents.data[0]?.id ?? '' };
}

async function createResources({ api }: Dashboard, origin: string) {
  const create = async (path: string, body: object): Promise<string> =>
    (await api.call({ method: 'POST', path, body }, { status: 201, shape: ANY })).id;
  const monitor = await api.createMonitor({ name: 'Shop', url: `${origin}/`, tags: ['web'] });
  const broken = await api.createMonitor({ name: 'Search', url: `${origin}/broken` });
  const steps = [
    { name: 'Log in', url: `${origin}/`, extract: { token: '$.token' } },
    { name: 'Buy', url: `${origin}/broken?t={{token}}`, retries: 1 },
    { name: 'Tidy up', url: `${origin}/`, always: true },
  ];
  const scenario = await create('/v1/scenarios', { name: 'Buy a cup', steps });
  await create('/v1/alert-channels', {
    name: 'Mail',
    key: 'mail',
    type: 'email',
    emails: ['a@example.com'],
  });
  await create('/v1/api-keys', { name: 'CI', scopes: ['run'] });
  await create('/v1/invitations', { email: 'new@example.com', role: 'editor' });
  await create('/v1/maintenance-windows', {
    name: 'Deployment',
    mode: 'mute',
    startsAt: '2030-03-01T10:00:00Z',
    durationMinutes: 30,
    rrule: 'FREQ=WEEKLY;BYDAY=MO',
    timeZone: 'Europe/Berlin',
    target: { all: true },
  });
  await create('/v1/hours', {
    key: 'opening',
    name: 'Opening hours',
    timeZone: 'Europe/Berlin',
    weekly: [{ days: ['mon', 'tue'], from: '09:00', to: '24:00' }],
    holidays: ['2030-12-25'],
  });
  const page = await create('/v1/status-pages', {
    slug: 'of-all-pages',
    title: 'Shop',
    isPublic: true,
    showBadges: true,
    subscribers: { webhook: true, slack: true },
    groups: [{ name: 'All', items: [{ id: monitor, name: 'Front page' }] }],
  });
  await create('/v1/status-pages', {
    slug: 'locked',
    title: 'Team',
    isPublic: true,
    access: { type: 'password', password: 'open sesame' },
    groups: [],
  });
  const post = await create('/v1/status-page-posts', {
    pageId: page,
    title: 'Payments fail',
    affected: [monitor],
    text: 'We are **looking into it**.',
    publish: true,
  });
  return { monitor, broken, scenario, page, post };
}
