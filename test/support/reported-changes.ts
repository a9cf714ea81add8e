/** Reads the failures and recoveries that webhooks and emails reported, by name, including folded ones. */
import { z } from 'zod';
import type { HttpSink, MailSink } from './alert-sinks';

/** A change of one monitor in one message. */
export interface ReportedChange {
  /** The event id or the Message-ID. It is the same for all tries of one alert. */
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly isFolded: boolean;
}

const eventShape = z.object({
  id: z.string(),
  type: z.string(),
  resource: z.object({ name: z.string() }),
  entries: z.array(z.object({ kind: z.string(), resourceName: z.string() })),
});

export function readWebhookReports({
  events,
}: Pick<HttpSink, 'events'>): readonly ReportedChange[] {
  return events.flatMap(({ body }): ReportedChange[] => {
    const { id, type, resource, entries } = eventShape.parse(JSON.parse(body));
    if (type !== 'alert.digest')
      return [{ id, kind: type.replace('alert.', ''), name: resource.name, isFolded: false }];
    return entries.map(({ kind, resourceName }) => ({
      id,
      kind,
      name: resourceName,
      isFolded: true,
    }));
  });
}

const KINDS: Readonly<Record<string, string>> = { down: 'failure', 'up again': 'recovery' };

/** Reads the emails. The names of monitors must be one word. */
export function readMailReports({
  messages,
}: Pick<MailSink, 'messages'>): readonly ReportedChange[] {
  return messages.flatMap(({ text }) => {
    const id = /^Message-ID: <([^@]+)@/im.exec(text)?.[1] ?? '';
    const single =
      /^Subject: (?<name>\S+) is (?<state>up again)/im.exec(text) ??
      /^Subject: (?<state>down): (?<name>[^\s:]+)/im.exec(text);
    const lines = text.matchAll(/^(?<name>\S+): +(?<state>down|up again) since /gm);
    return [...(single === null ? lines : [single])].map(({ groups }) => {
      const { name = '', state = '' } = groups ?? {};
      const kind = KINDS[state.toLowerCase()] ?? state;
      return { id, kind, name, isFolded: single === null };
    });
  });
}
