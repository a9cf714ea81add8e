/**
 * Lists the events that a webhook must get, from the records that the API shows. Starts a receiver that makes each
 * delivery fail at first. Contains no assertions.
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import type { Run } from './mixture';
import type { Monitor, Stage } from './stage';

const NAMES = ['run.finished', 'monitor.changed', 'incident.opened', 'incident.resolved'];

const created = z.object({ signingSecret: z.string() });
const monitorShape = z.object({ id: z.string(), health: z.string(), healthSince: z.string() });
const incidentPage = z.object({
  data: z.array(z.object({ id: z.string(), state: z.string() })),
});
const eventShape = z.object({
  id: z.string(),
  type: z.string(),
  resource: z.object({ id: z.string() }),
  data: z.record(z.string(), z.unknown()),
});

export interface EventReceiver {
  /** For each event as text, the event ids of its tries. */
  readonly triesOf: () => ReadonlyMap<string, readonly string[]>;
  /** Counts the requests whose signature does not match their body. */
  readonly countUnsigned: () => number;
  /** Makes the receiver accept every event at its first try from now on. */
  readonly getWell: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Starts a receiver. At the first try of an event, it breaks the connection without a response. At the second try, it
 * is unavailable. It accepts the third try.
 */
export async function startEventReceiver({ api }: Pick<Stage, 'api'>): Promise<EventReceiver> {
  let isWell = false;
  const tries = new Map<string, number>();
  const target = await startRecordingTarget(({ headers }, response) => {
    const id = String(headers['keepwatch-event-id']);
    const nth = (tries.get(id) ?? 0) + 1;
    tries.set(id, nth);
    if (isWell || nth > 2) response.writeHead(204).end();
    else if (nth === 2) response.writeHead(503, { 'retry-after': '1' }).end();
    else response.destroy();
  });
  const body = { name: 'events', type: 'webhook', url: target.origin, events: NAMES };
  const request = { method: 'POST', path: '/v1/alert-channels', body };
  const { signingSecret } = await api.call(request, { status: 201, shape: created });
  return {
    triesOf: () => triesOf(target),
    countUnsigned: () => target.received.filter((one) => !isSigned(one, signingSecret)).length,
    getWell: () => {
      isWell = true;
    },
    close: target.close,
  };
}

type Received = RecordingTarget['received'][number];

function isSigned({ headers, body }: Received, secret: string): boolean {
  const hmac = createHmac('sha256', secret).update(
    `${String(headers['keepwatch-timestamp'])}.${body}`,
  );
  return headers['keepwatch-signature'] === `v1=${hmac.digest('hex')}`;
}

function triesOf({ received }: RecordingTarget): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { body } of received) {
    const { id, type, resource, data } = eventShape.parse(JSON.parse(body));
    const subject =
      type === 'monitor.changed'
        ? [resource.id, data['health'], data['since']]
        : [data['runId'] ?? data['incidentId'], data['status']];
    const event = wordsOf(type, subject);
    found.set(event, [...(found.get(event) ?? []), id]);
  }
  return found;
}

function wordsOf(type: string, subject: readonly unknown[]): string {
  return [type, ...subject.filter((one) => one !== undefined).map(String)].join(' ');
}

/**
 * Lists the events that are due: the start and end of each incident, the end of each run, and the last change of each
 * monitor.
 */
export async function listOwedEvents(
  { api }: Pick<Stage, 'api'>,
  { runs, monitors }: { readonly runs: readonly Run[]; readonly monitors: readonly Monitor[] },
): Promise<readonly string[]> {
  const incidents = await api.call(
    { method: 'GET', path: '/v1/incidents?limit=500' },
    { status: 200, shape: incidentPage },
  );
  const changes = await Promise.all(
    monitors.map(({ id }) =>
      api.call({ method: 'GET', path: `/v1/monitors/${id}` }, { status: 200, shape: monitorShape }),
    ),
  );
  return [
    ...incidents.data.flatMap(({ id, state }) => [
      wordsOf('incident.opened', [id]),
      ...(state === 'resolved' ? [wordsOf('incident.resolved', [id])] : []),
    ]),
    ...runs.map(({ id, status }) => wordsOf('run.finished', [id, status])),
    ...changes.map((one) => wordsOf('monitor.changed', [one.id, one.health, one.healthSince])),
  ];
}
