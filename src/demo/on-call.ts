/**
 * The recipients of the demo's alerts: a chat and a phone. Both simulate a person. In the chat, the person acknowledges
 * every second incident; on the phone, every incident.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { DemoEvent } from './demo-event';

const RECIPIENTS = ['chat', 'phone'] as const;
type Recipient = (typeof RECIPIENTS)[number];

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
  /** Returns the URL to which alerts for a recipient are sent by POST. */
  readonly buildUrl: (recipient: Recipient) => string;
  readonly close: () => Promise<void>;
}

/** Starts the server on 127.0.0.1 and resolves once it listens. */
export async function startOnCall({ show, warn, acknowledge }: OnCallPlan): Promise<OnCall> {
  /** Ids of incidents, by the name of the failed resource. */
  const seen = new Map<string, Set<string>>();

  async function acknowledgeFrom(
    recipient: Recipient,
    incidentId: string,
    name: string,
  ): Promise<void> {
    await acknowledge(incidentId, `Acknowledged by ${recipient}.`);
    const detail = `by ${recipient}`;
    show({ kind: 'incident', at: new Date(), name, status: 'acknowledged', detail });
  }

  /**
   * Takes an alert and decides whether to acknowledge it. In the chat, the person acknowledges the first, third, fifth
   * … incident of a resource.
   */
  function take(recipient: Recipient, { type, headline, incidentId, resource }: Alert): void {
    const status = type.replace(/^alert\./, '');
    show({ kind: 'alert', at: new Date(), name: headline, status, recipient });
    if (status !== 'failure' || incidentId === null) return;
    const own = (seen.get(resource.name) ?? new Set()).add(incidentId);
    seen.set(resource.name, own);
    if (recipient === 'chat' && own.size % 2 === 0) return;
    acknowledgeFrom(recipient, incidentId, resource.name).catch((error: unknown) =>
      warn(`The incident could not be acknowledged: ${String(error)}`),
    );
  }

  const server = createServer((request, response) => {
    const recipient = RECIPIENTS.find((each) => request.url === `/${each}`);
    void readAlert(request).then((alert) => {
      response.writeHead(recipient === undefined || alert === null ? 400 : 204).end();
      if (recipient !== undefined && alert !== null) take(recipient, alert);
    });
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string')
        reject(new Error('The server has no port.'));
      else resolve(address.port);
    });
  });
  return {
    port,
    buildUrl: (recipient) => `http://127.0.0.1:${port}/${recipient}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Alert = z.output<typeof eventShape>;

/** Reads the alert from a request. Returns null if it contains no alert. */
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
