/** Finds the recipients of a rule's alerts, and whether they reach anyone. Pure. */
import type { AlertRecipients, AlertRules } from '../../contracts/alerts';

/** How many channels, and recipients, one notice remembers; it grows only by edits between reminders. */
const PLACES_MAX = 100;

export function pickRecipients({ channels, targets }: AlertRecipients): AlertRecipients {
  return { channels, targets };
}

/** True if alerts by these rules reach anyone. */
export function hasRecipients({
  channels,
  targets,
  policy = null,
}: AlertRecipients & Pick<AlertRules, 'policy'>): boolean {
  return channels.length > 0 || targets.length > 0 || policy !== null;
}

/** Each channel and each recipient once; of the same recipient the newest entry. */
export function mergeRecipients(all: readonly AlertRecipients[]): AlertRecipients {
  const targets = new Map(all.flatMap((places) => places.targets.map((to) => [to.key, to])));
  return {
    channels: [...new Set(all.flatMap(({ channels }) => channels))].slice(-PLACES_MAX),
    targets: [...targets.values()].slice(-PLACES_MAX),
  };
}
