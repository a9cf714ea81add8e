/** Describes plans and rollouts in words. Pure. */

import { countWords } from '../charts/counted';
import type { Rollout, RolloutPlan } from '../data/api-types';
import { formatValue } from '../form/problems/field-words';
import { formatLabel } from '../form/problems/labels';

type FieldChange = RolloutPlan['items'][number]['changes'][number];

export interface PlannedChange {
  readonly sentence: string;
  /** Names of the checks. */
  readonly names: readonly string[];
}

/** Merges the same change of several checks into one entry. The most frequent change comes first. */
export function sumUpPlan({ items }: Pick<RolloutPlan, 'items'>): readonly PlannedChange[] {
  const namesBySentence = new Map<string, string[]>();
  for (const { name, changes } of items)
    for (const change of changes) {
      const sentence = describeFieldChange(change);
      namesBySentence.set(sentence, [...(namesBySentence.get(sentence) ?? []), name]);
    }
  return [...namesBySentence]
    .map(([sentence, names]) => ({ sentence, names }))
    .sort((a, b) => b.names.length - a.names.length);
}

/** Describes a change like `Interval 60 s → 30 s`. */
function describeFieldChange({ path, before, after }: FieldChange): string {
  return `${formatLabel(path)} ${formatValue(path, before)} → ${formatValue(path, after)}`;
}

/** Describes in one line what the rollout changes. */
export function describeRollout({ cause, change }: Pick<Rollout, 'cause' | 'change'>): string {
  switch (cause.type) {
    case 'undo':
      return 'Undo';
    case 'profile':
      return `Profile ${cause.key}`;
    case 'environment':
      return `Environment ${cause.key}`;
    case 'variables':
      return 'Account variables';
    case 'edit':
      return change.type === 'edit' ? describeEdit(change) : 'Edit';
  }
}

function describeEdit({ set, unset }: Extract<Rollout['change'], { type: 'edit' }>): string {
  const fields = Object.entries(set).flatMap(([name, value]) =>
    name === 'alerts' && typeof value === 'object' && value !== null
      ? Object.entries(value).map(([inner, child]) => [`alerts.${inner}`, child] as const)
      : [[name, value] as const],
  );
  return [
    ...fields.map(([path, value]) => `${formatLabel(path)}: ${formatValue(path, value)}`),
    ...unset.map((path) => `${formatLabel(path)}: default`),
  ].join(', ');
}

/** Describes the progress of a running rollout, or the outcome of one that has ended. */
export function describeProgress({ state, progress, waitsFor }: Rollout): string {
  const { total, pending, changed, unchanged, failed, skipped } = progress;
  if (waitsFor !== null) return 'Waits for another rollout';
  if (state !== 'ended') return `${total - pending} of ${countWords(total, 'check')} done`;
  const parts = [
    `${countWords(changed, 'check')} changed`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return parts.join(', ');
}

/** True if the rollout can be undone at this time. */
export function isUndoable({ undoUntil, undoneBy }: Rollout, nowMs: number): boolean {
  return undoUntil !== null && undoneBy === null && Date.parse(undoUntil) > nowMs;
}
