/** Finds the recipients of a rule's alerts, and whether the alerts reach anyone. Pure. */
import type { AlertRecipients, AlertRules } from '../../contracts/alerts';

/** Limits for one notice. The lists grow only if the rule is edited between reminders. */
const RECIPIENTS_MAX = 100;

export function pickRecipients({ channels, targets }: AlertRecipients): AlertRecipients {
  return { channels, targets };
}

/** True if alerts with these rules reach anyone. */
export function hasRecipients({
  channels,
  targets,
  policy = null,
}: AlertRecipients & Pick<AlertRules, 'policy'>): boolean {
  return channels.length > 0 || targets.length > 0 || policy !== null;
}

/** Returns each channel and each recipient once. If a recipient occurs several times, its newest entry is kept. */
export function mergeRecipients(all: readonly AlertRecipients[]): AlertRecipients {
  const targets = new Map(all.flatMap((places) => places.targets.map((to) => [to.key, to])));
  return {
    channels: [...new Set(all.flatMap(({ channels }) => channels))].slice(-RECIPIENTS_MAX),
    targets: [...targets.values()].slice(-RECIPIENTS_MAX),
  };
}
