/** Where the alerts of a rule go, and whether they reach anyone. Pure. */
import type { AlertRecipients, AlertRules } from '../../contracts/alerts';

/** Channels, and addresses, that one notice remembers; it grows only by edits between reminders. */
const PLACES_MAX = 100;

export function recipientsOfRule({ channels, targets }: AlertRecipients): AlertRecipients {
  return { channels, targets };
}

/** True when anything that is sent by these rules reaches anyone. */
export function hasRecipients({
  channels,
  targets,
  policy = null,
}: AlertRecipients & Pick<AlertRules, 'policy'>): boolean {
  return channels.length > 0 || targets.length > 0 || policy !== null;
}

/** Each channel and each address once; of the same address the newest. */
export function mergeRecipients(all: readonly AlertRecipients[]): AlertRecipients {
  const targets = new Map(all.flatMap((places) => places.targets.map((to) => [to.key, to])));
  return {
    channels: [...new Set(all.flatMap(({ channels }) => channels))].slice(-PLACES_MAX),
    targets: [...targets.values()].slice(-PLACES_MAX),
  };
}
