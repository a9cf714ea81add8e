/**
 * Creates one object of every kind that a service checks, on a stage: healthy targets, targets that fail in turn, a
 * scenario with a POST and a clean-up, a job, an escalation and a paused monitor. Contains no assertions.
 */
import { z } from 'zod';
import { waitUntil } from '../support/wait-until';
import { INTERVAL_MS, type Monitor, type Stage } from './stage';

const ANY = z.looseObject({});
const created = z.looseObject({ id: z.string() });
const heartbeat = z.object({ id: z.string(), pingUrl: z.string() });
const runShape = z.object({
  id: z.string(),
  status: z.string(),
  finishedAt: z.string().nullable(),
  failure: z.object({ code: z.string() }).nullable(),
});
export type Run = z.output<typeof runShape>;

const INTERVAL = INTERVAL_MS / 1_000;
const DUTY = 'duty@example.com';
/** Paths of the receiver for the steps of the escalation. The second step is due a minute after the first. */
export const STEPS = ['/step-1', '/step-2'] as const;

export interface Mixture {
  /**
   * Monitors with targets that always respond. Some are checked by watches, some on the full path, and some at other
   * intervals.
   */
  readonly well: readonly Monitor[];
  /** Monitors with targets that fail in turn. Their alerts are sent by webhook and email. */
  readonly sick: readonly Monitor[];
  /** A monitor that is always down and has an escalation. */
  readonly escalated: Monitor;
  readonly paused: Monitor;
  readonly job: z.output<typeof heartbeat>;
  /** Starts a run of the scenario. Resolves when the POST of the run has reached the target. */
  readonly beginRun: () => Promise<string>;
  readonly readRun: (id: string) => Promise<Run>;
  readonly checkNow: (monitor: Monitor) => Promise<void>;
  readonly ping: () => Promise<void>;
}

export async function createMixture(stage: Stage, sickCount: number): Promise<Mixture> {
  const { api, target, hook } = stage;
  const post = (path: string, body: object, status = 201) =>
    api.call({ method: 'POST', path, body }, { status, shape: created });
  const watch = async (name: string, more: object = {}): Promise<Monitor> => {
    const path = `/${name}`;
    const base = { name, url: target.url + path, interval: INTERVAL, timeoutMs: 5_000, retries: 0 };
    const id = await api.createMonitor({ ...base, ...more });
    return { id, name, path, intervalMs: INTERVAL_MS };
  };

  for (const path of STEPS)
    await post('/v1/alert-channels', {
      name: path,
      key: path.slice(1),
      type: 'webhook',
      url: hook.url + path,
      isDefault: false,
    });
  const steps = STEPS.map((path, nth) => ({ afterMinutes: nth, notify: [path.slice(1)] }));
  await post('/v1/alert-policies', { key: 'on-call', name: 'On call', steps });
  const alerts = { channels: ['webhook'], emails: [DUTY] };
  const names = Array.from({ length: sickCount }, (_, nth) => `sick-${nth}`);
  const sick = await Promise.all(names.map((name) => watch(name, { alerts })));
  // A POST must not be sent twice, so no watch checks this monitor.
  const full = await watch('full', { method: 'POST', alerts });
  const paused = await watch('paused', { alerts });
  target.failing.add('/escalated');
  const escalated = await watch('escalated', { alerts: { channels: [], policy: 'on-call' } });
  const scenario = await post('/v1/scenarios', journey(target.url));
  // The period is so long that no fault makes the job late.
  const schedule = { everySeconds: 3_600 };
  const job = await api.call(
    {
      method: 'POST',
      path: '/v1/monitors',
      body: { type: 'heartbeat', name: 'job', schedule, graceSeconds: 0, alerts },
    },
    { status: 201, shape: heartbeat },
  );
  for (const { id, name } of [...sick, full, paused, escalated])
    await waitUntil(`${name} is checked`, async () => (await api.resultsOf(id)).length > 0);
  await api.call(
    { method: 'POST', path: `/v1/monitors/${paused.id}/pause`, body: {} },
    { status: 200, shape: ANY },
  );

  return {
    well: [...stage.monitors, full],
    sick,
    escalated,
    paused,
    job,
    beginRun: async () => {
      const { id } = await post(`/v1/scenarios/${scenario.id}/run`, {}, 202);
      await waitUntil('its POST', () => target.countOf(`/run/${id}/order`) > 0);
      return id;
    },
    readRun: (id) =>
      api.call(
        { method: 'GET', path: `/v1/scenarios/${scenario.id}/results/${id}` },
        { status: 200, shape: runShape },
      ),
    checkNow: async ({ id }) => {
      await post(`/v1/monitors/${id}/run`, {}, 202);
    },
    ping: async () => {
      const answer = await fetch(job.pingUrl, { method: 'POST' });
      await answer.body?.cancel();
      if (answer.status !== 200) throw new Error(`a ping was answered with ${answer.status}`);
    },
  };
}

/** Returns a scenario with four steps. The last URL contains a value that the first step extracts. */
function journey(base: string): object {
  const at = (path: string) => `${base}/run/{{$runId}}${path}`;
  const token = { from: 'body', pattern: '(ok)' };
  return {
    name: 'journey',
    interval: 604_800,
    enabled: false,
    steps: [
      { name: 'log in', url: at('/login'), extract: { token } },
      { name: 'order', method: 'POST', url: at('/order') },
      { name: 'read', url: at('/read') },
      { name: 'tidy', method: 'DELETE', url: at('/tidy/{{token}}'), always: true },
    ],
  };
}
