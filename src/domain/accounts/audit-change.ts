/**
 * Finds the fields that a change affected and the fields that identify the object, for the audit trail. Masks secrets.
 */

import { isRecord } from '../../contracts/json';
import { isSensitiveHeaderName } from '../secrets/sensitive-headers';

export interface StoredChange {
  readonly before: unknown;
  readonly after: unknown;
}

const MASK = '***';
const TEXT_MAX = 16_384;

/** Fields that also change without an action by a person. */
const MOVING_FIELDS: ReadonlySet<string> = new Set([
  'health',
  'status',
  'regionsHealth',
  'lastCheckedAt',
  'nextCheckAt',
  'lastUsedAt',
  'currentIncidentId',
  'tlsExpiresAt',
  'tlsWarning',
  'lastRunId',
  'updatedAt',
  'durationSeconds',
  'usage',
  'links',
  'lastPingAt',
  'nextDueAt',
  'lastSentAt',
  'failing',
  'running',
]);

/** Fields by which people recognise the object: the resource of an incident, and the title of a status page or post. */
const NAMING_FIELDS: readonly string[] = ['resourceName', 'title'];

/** Fields that contain a link which grants access. `isSensitiveHeaderName` recognises all other secret fields. */
const LINK_NAMES: ReadonlySet<string> = new Set(['acceptUrl', 'pingUrl', 'registerUrl']);
/** Matches keys of API clients and of probes. */
const API_KEY = /kw_[0-9A-Za-z]{38}|kwp_[a-z][a-z0-9-]*_[0-9a-z_]+_[0-9a-f]{64}/g;

/** Returns the change as the audit trail stores it. null means that the change had no effect. */
export function toStoredChange(before: unknown, after: unknown): StoredChange | null {
  const [was, is] = [steady(before), steady(after)];
  if (!isRecord(was) || !isRecord(is)) {
    return { before: limitLength(maskKeys(was)), after: limitLength(maskKeys(is)) };
  }
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]),
  );
  if (changed.length === 0) return null;
  const names = [...changed, ...NAMING_FIELDS];
  return {
    before: limitLength(maskKeys(pick(was, names))),
    after: limitLength(maskKeys(pick(is, names))),
  };
}

function steady(value: unknown): unknown {
  if (!isRecord(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !MOVING_FIELDS.has(name)));
}

function pick(
  value: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}

/** Masks API keys in all fields, and all text in fields whose name suggests a secret. */
export function maskSecrets(
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, child]) => [
      name,
      isSecretName(name) ? maskTexts(child) : maskKeys(child),
    ]),
  );
}

function maskKeys(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(API_KEY, MASK);
  if (Array.isArray(value)) return value.map(maskKeys);
  return isRecord(value) ? maskSecrets(value) : value;
}

function isSecretName(name: string): boolean {
  return LINK_NAMES.has(name) || isSensitiveHeaderName(name);
}

/** Masks every string inside the value. Keeps booleans and numbers. */
function maskTexts(value: unknown): unknown {
  if (typeof value === 'string') return MASK;
  if (Array.isArray(value)) return value.map(maskTexts);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, maskTexts(child)]));
}

/**
 * Returns the value unchanged if it is short enough. Of a longer value, returns only the field names and the
 * identifying fields.
 */
function limitLength(value: unknown): unknown {
  if (value === null || JSON.stringify(value).length <= TEXT_MAX) return value;
  if (!isRecord(value)) return { tooLong: true, fields: [] };
  return { tooLong: true, fields: Object.keys(value), ...pick(value, NAMING_FIELDS) };
}
