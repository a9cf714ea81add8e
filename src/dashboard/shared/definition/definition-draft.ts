/**
 * The fields that monitors, heartbeats and scenarios share. Bodies omit default values. A new shared field needs one
 * line in `DefinitionDraft`, `readDefinition` and `definitionBody`, and an input in definition-fields.
 */

import { isRecord } from '../../../contracts/json';
import type { OutsideMode } from '../../../contracts/maintenance';
import { alertsField } from '../../../schemas/alerts';
import { readList, readRecord, readText } from '../../../schemas/loose';
import type { Monitor } from '../data/api-types';
import { newHeaderRow, toVariables, type VariableRow } from '../form/rows/rows';
import type { LayeredDraft } from './layered-draft';
import type { Values } from './options';

export interface DefinitionDraft extends LayeredDraft {
  readonly group: string;
  readonly tags: readonly string[];
  readonly key: string;
  readonly alerts: AlertsDraft;
  /** Ids or keys of monitors and scenarios. */
  readonly dependsOn: readonly string[];
  /** The key of the hours. Empty for none. */
  readonly hours: string;
  readonly outside: OutsideMode;
  /** The URL of the runbook. Empty for none. */
  readonly runbookUrl: string;
  readonly note: string;
  /** null keeps the current value. */
  readonly enabled: boolean | null;
}

export type AlertsDraft = Monitor['alerts'];

/** The alert rules that the schema fills in by default. */
export const DEFAULT_ALERTS: AlertsDraft = alertsField.parse(undefined);

export function readDefinition(given: Values): DefinitionDraft {
  return {
    name: readText(given['name']),
    profile: readText(given['profile']),
    own: readOwn(given),
    group: readText(given['group']),
    tags: readTexts(given['tags']),
    key: readText(given['key']),
    alerts: readAlerts(given['alerts']),
    dependsOn: readTexts(given['dependsOn']),
    hours: readText(given['hours']),
    outside: given['outside'] === 'rest' ? 'rest' : 'quiet',
    runbookUrl: readText(given['runbookUrl']),
    note: readText(given['note']),
    enabled: typeof given['enabled'] === 'boolean' ? given['enabled'] : null,
  };
}

/**
 * Returns the names of the fields that the definition itself sets. null if the definition is saved and has no profile.
 */
function readOwn({ id, origin }: Values): LayeredDraft['own'] {
  const names = Object.entries(readRecord(origin)).filter(([, from]) => from === 'own');
  return typeof id === 'string' && names.length === 0 && !isRecord(origin)
    ? null
    : names.map(([name]) => name);
}

export function definitionBody(draft: DefinitionDraft): Values {
  const { group, tags, key, alerts, dependsOn, runbookUrl, note, enabled } = draft;
  const { hours, outside, profile } = draft;
  return {
    ...(profile === '' ? {} : { profile }),
    ...(isSame(alerts, DEFAULT_ALERTS) ? {} : { alerts }),
    ...(dependsOn.length === 0 ? {} : { dependsOn }),
    ...(hours.trim() === '' ? {} : { hours: hours.trim() }),
    ...(outside === 'quiet' ? {} : { outside }),
    ...(runbookUrl.trim() === '' ? {} : { runbookUrl: runbookUrl.trim() }),
    ...(note.trim() === '' ? {} : { note: note.trim() }),
    ...(group.trim() === '' ? {} : { group: group.trim() }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(key.trim() === '' ? {} : { key: key.trim() }),
    ...(enabled === null ? {} : { enabled }),
  };
}

/** The draft of a monitor or scenario, which runs from regions at an interval. */
export interface ScheduledDraft extends DefinitionDraft {
  /** The interval in seconds. */
  readonly interval: number;
  readonly regions: readonly string[];
  readonly variables: readonly VariableRow[];
  /** The key of the environment. Empty for none. */
  readonly environment: string;
}

export function readScheduled(given: Values, defaultInterval: number): ScheduledDraft {
  return {
    ...readDefinition(given),
    interval: readCount(given['interval']) ?? defaultInterval,
    regions: readTexts(given['regions']),
    variables: Object.entries(readRecord(given['variables'])).map(readVariable),
    environment: readText(given['environment']),
  };
}

export function scheduledBody(draft: ScheduledDraft): Values {
  const { interval, regions, variables, environment } = draft;
  return {
    interval,
    ...(regions.length === 0 ? {} : { regions }),
    ...definitionBody(draft),
    ...filled('variables', toVariables(variables)),
    ...(environment.trim() === '' ? {} : { environment: environment.trim() }),
  };
}

/** Returns a copy to save under a new name. Values that must be unique are not copied. */
export function copyDefinition<Body extends { readonly name: string }>(body: Body): Values {
  return { ...body, name: `${body.name} (copy)`, key: '', enabled: undefined };
}

/**
 * Removes the stored secrets of the definition that was copied. The page cannot read stored secrets, so the user must
 * type them again.
 */
export function withoutStored<Draft extends ScheduledDraft>(draft: Draft): Draft {
  return { ...draft, variables: draft.variables.map((row) => ({ ...row, isStored: false })) };
}

export function readCount(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

export function filled(key: string, record: Values): Values {
  return Object.keys(record).length === 0 ? {} : { [key]: record };
}

function readTexts(value: unknown): readonly string[] {
  return readList(value).filter((item) => typeof item === 'string');
}

function readVariable([name, given]: [string, unknown]): VariableRow {
  const { value, secret } = readRecord(given);
  const isSecret = secret === true;
  const text = typeof given === 'string' ? given : readText(value);
  return { ...newHeaderRow(name, text), isSecret, isStored: isSecret && value === undefined };
}

/** Reads alert rules. Missing parts get the default, as in the service. */
export function readAlerts(given: unknown): AlertsDraft {
  const alerts: unknown = { ...DEFAULT_ALERTS, ...readRecord(given) };
  return isAlerts(alerts) ? alerts : DEFAULT_ALERTS;
}

function isAlerts(value: unknown): value is AlertsDraft {
  return Array.isArray(readRecord(value)['emails']) && Array.isArray(readRecord(value)['channels']);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns the given fields without the empty ones. */
export function kindFieldsBody(fields: Values): Values {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
