/**
 * The recipients of the demo's alerts: a chat and a phone, with a simulated person. The person acknowledges every
 * second incident in the chat, and every incident on the phone.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { DemoEvent } from './demo-event';

const PLACES = ['chat', 'phone'] as const;
type Place = (typeof PLACES)[number];

const BODY_BYTES_MAX = 65_536;

const eventShape = z.object({
  type: z.string(),
  headline: z.string(),
  incidentId: z.string().nullable(),
  resource: z.object({ name: z.string() }),
});

interface OnCallPlan {
  readonly show: (event: DemoEvent) => void;
  /** Called with each reason why an incident could not be acknowledged. */
  readonly warn: (sentence: string) => void;
  readonly acknowledge: (incidentId: string, note: string) => Promise<void>;
}

export interface OnCall {
  readonly port: number;
  /** The URL that receives alerts for a recipient, by POST. */
  readonly urlOf: (place: Place) => string;
  readonly close: () => Promise<void>;
}

/** Starts the server on 127.0.0.1 and resolves once it listens. */
export async function startOnCall({ show, warn, acknowledge }: OnCallPlan): Promise<OnCall> {
  /** Ids of incidents, by the name of the failed resource. */
  const seen = new Map<string, Set<string>>();

  async function acknowledgeFrom(place: Place, incidentId: string, name: string): Promise<void> {
    await acknowledge(incidentId, `Acknowledged by ${place}.`);
    const detail = `by ${place}`;
    show({ kind: 'incident', at: new Date(), name, status: 'acknowledged', detail });
  }

  /** In the chat, the person acknowledges the first, third, fifth … incident of a resource. */
  function take(place: Place, { type, headline, incidentId, resource }: Alert): void {
    const status = type.replace(/^alert\./, '');
    show({ kind: 'alert', at: new Date(), name: headline, status, place });
    if (status !== 'failure' || incidentId === null) return;
    const own = (seen.get(resource.name) ?? new Set()).add(incidentId);
    seen.set(resource.name, own);
    if (place === 'chat' && own.size % 2 === 0) return;
    acknowledgeFrom(place, incidentId, resource.name).catch((error: unknown) =>
      warn(`The incident could not be acknowledged: ${String(error)}`),
    );
  }

  const server = createServer((request, response) => {
    const place = PLACES.find((each) => request.url === `/${each}`);
    void readAlert(request).then((alert) => {
      response.writeHead(place === undefined || alert === null ? 400 : 204).end();
      if (place !== undefined && alert !== null) take(place, alert);
    });
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no port'));
      else resolve(address.port);
    });
  });
  return {
    port,
    urlOf: (place) => `http://127.0.0.1:${port}/${place}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Alert = z.output<typeof eventShape>;

/** Returns null if the request is not an alert. */
async function readAlert(request: IncomingMessage): Promise<Alert | null> {
  try {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) {
      text += String(chunk);
      if (text.length > BODY_BYTES_MAX) return null;
    }
    return eventShape.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
