/** Finds the recipients of a rule's alerts, and whether the alerts reach anyone. Pure. */
import type { AlertRecipients, AlertRules } from '../../contracts/alerts';

/** How many recipients one notice has at most. The list grows only if the rule is edited between reminders. */
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

/** Merges lists of recipients. Each channel and each recipient occurs once, with its newest entry. */
export function mergeRecipients(all: readonly AlertRecipients[]): AlertRecipients {
  const targets = new Map(all.flatMap((places) => places.targets.map((to) => [to.key, to])));
  return {
    channels: [...new Set(all.flatMap(({ channels }) => channels))].slice(-RECIPIENTS_MAX),
    targets: [...targets.values()].slice(-RECIPIENTS_MAX),
  };
}
