/** Describes plans and rollouts in words. Pure. */
import type { Rollout, RolloutPlan } from '../data/api-types';
import { milliseconds } from '../text/time-text';

type FieldChange = RolloutPlan['items'][number]['changes'][number];

const LABELS: Readonly<Record<string, string>> = {
  interval: 'Frequency',
  regions: 'Regions',
  retries: 'Retries',
  timeoutMs: 'Timeout',
  'alerts.channels': 'Channels',
  'alerts.policy': 'Alert policy',
  hours: 'Hours',
  group: 'Group',
  tags: 'Tags',
};
const VALUE_MAX = 80;

export interface PlannedChange {
  readonly sentence: string;
  /** Names of the checks. */
  readonly names: readonly string[];
}

/** Merges the same change of several checks into one entry. The most frequent change comes first. */
export function sumUpPlan({ items }: Pick<RolloutPlan, 'items'>): readonly PlannedChange[] {
  const namesOf = new Map<string, string[]>();
  for (const { name, changes } of items)
    for (const change of changes) {
      const sentence = describeFieldChange(change);
      namesOf.set(sentence, [...(namesOf.get(sentence) ?? []), name]);
    }
  return [...namesOf]
    .map(([sentence, names]) => ({ sentence, names }))
    .sort((a, b) => b.names.length - a.names.length);
}

/** Describes a change like `Frequency 60 s → 30 s`. */
function describeFieldChange({ path, before, after }: FieldChange): string {
  return `${LABELS[path] ?? path} ${formatValue(path, before)} → ${formatValue(path, after)}`;
}

/** Formats a value like `30 s`. An empty value becomes `none`. */
export function formatValue(path: string, value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  const isPlain = Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (isPlain) return shorten(value.join(', '));
  if (typeof value === 'number' && path === 'interval') return `${value} s`;
  if (typeof value === 'number' && path.endsWith('Ms')) return milliseconds(value);
  return shorten(typeof value === 'string' ? value : JSON.stringify(value));
}

function shorten(text: string): string {
  return text.length <= VALUE_MAX ? text : `${text.slice(0, VALUE_MAX)}…`;
}

/** Formats a number like `1 check` or `2 checks`. */
export function countChecks(count: number): string {
  return count === 1 ? '1 check' : `${count} checks`;
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
    ...fields.map(([path, value]) => `${LABELS[path] ?? path}: ${formatValue(path, value)}`),
    ...unset.map((path) => `${LABELS[path] ?? path}: default`),
  ].join(', ');
}

/** Describes the progress of a running rollout, or the outcome of one that has ended. */
export function describeProgress({ state, progress, waitsFor }: Rollout): string {
  const { total, pending, changed, unchanged, failed, skipped } = progress;
  if (waitsFor !== null) return 'Waits for another rollout';
  if (state !== 'ended') return `${total - pending} of ${countChecks(total)} done`;
  const parts = [
    `${countChecks(changed)} changed`,
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
