/** A dashboard of an account that has something of every kind: what works, what fails, and what waits. */
import { z } from 'zod';
import { startLoopbackServer } from '../../support/loopback-server';
import { waitUntil } from '../../support/wait-until';
import { type Dashboard, openDashboard } from './dashboard';

const ANY = z.looseObject({ id: z.string() });
const PAGE = z.object({ data: z.array(ANY) });

export interface ExampleAccount {
  readonly dashboard: Dashboard;
  /** Name of what an address stands for → its id: monitor, broken, scenario, run, incident, page. */
  readonly ids: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

export async function openExampleAccount(): Promise<ExampleAccount> {
  const target = await startLoopbackServer(({ url }, response) => {
    response.writeHead(url?.startsWith('/broken') ? 500 : 200, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify({ status: 'ok', token: 'abc' }));
  });
  const dashboard = await openDashboard();
  const close = async (): Promise<void> => {
    await dashboard.close();
    await target.close();
  };
  try {
    return { dashboard, ids: await fill(dashboard, target.url), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fill({ api }: Dashboard, origin: string): Promise<Record<string, string>> {
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
  const page = await create('/v1/status-pages', {
    slug: 'of-all-pages',
    title: 'Shop',
    isPublic: true,
    showBadges: true,
    groups: [{ name: 'All', items: [{ id: monitor, name: 'Front page' }] }],
  });
  const first = async (path: string): Promise<string | undefined> =>
    (await api.call({ method: 'GET', path }, { status: 200, shape: PAGE })).data[0]?.id;
  const incident = await waitUntil(
    'an incident',
    () => first(`/v1/incidents?resourceId=${broken}`),
    30_000,
  );
  const failed = `/v1/scenarios/${scenario}/results?status=failed`;
  const run = await waitUntil('a run', () => first(failed), 30_000);
  return { monitor, broken, scenario, page, incident, run };
}
