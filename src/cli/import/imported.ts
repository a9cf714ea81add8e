/** The result of an import from any tool: our definitions, and notes on the parts without a counterpart. */
import { createHash } from 'node:crypto';
import { cutText } from '../../domain/text/cut-text';

export type Fields = Readonly<Record<string, unknown>>;

export interface ImportNote {
  /** The object that the note is about. Empty means that the note is about the whole file. */
  readonly name: string;
  readonly message: string;
}

export interface Imported {
  readonly alertChannels?: readonly Fields[];
  readonly maintenanceWindows?: readonly Fields[];
  readonly monitors: readonly Fields[];
  readonly scenarios?: readonly Fields[];
  readonly statusPages?: readonly Fields[];
  /** The environment variables in the texts, in the form in which files declare them. */
  readonly env: readonly (string | { readonly name: string; readonly default: string })[];
  readonly notes: readonly ImportNote[];
}

/** Collects notes on one object of the file. */
export interface NoteTaker {
  readonly note: (message: string) => void;
}

const INTERVAL_MIN_SECONDS = 10;
const INTERVAL_MAX_SECONDS = 604_800;
const TIMEOUT_MIN_MS = 500;
const TIMEOUT_MAX_MS = 60_000;
const NOTE_MAX = 2_000;
const CONFIRMATIONS_MAX = 10;

export type KeyMaker = (name: string, id?: string | number | null) => string;

/**
 * Creates a function that makes a unique key from a name. A reserved word gets a suffix, and a repeated key gets a
 * number. A name without Latin letters is replaced by the source's id or by a hash.
 */
export function createKeyMaker(reserved: readonly string[] = [], noun = 'monitor'): KeyMaker {
  const used = new Set<string>();
  return (name, id) => {
    const plain = plainKey(name);
    const named = /[a-z]/.test(plain) ? plain : `${noun}-${idKey(id) || fingerprint(name)}`;
    const base = reserved.includes(named) ? `${named}-alerts` : named;
    let key = base;
    for (let number = 2; used.has(key); number += 1) key = `${base}-${number}`;
    used.add(key);
    return key;
  };
}

function plainKey(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 90)
    .replaceAll(/^-+|-+$/g, '');
}

function idKey(id: string | number | null | undefined): string {
  return plainKey(String(id ?? ''));
}

function fingerprint(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 8);
}

/** Writes a note about each of the named fields that has a value. The note does not contain the value. */
export function noteFields(fields: Fields, names: readonly string[], { note }: NoteTaker): void {
  for (const name of names)
    if (hasMeaning(fields[name])) note(`${name} has no counterpart and is left out`);
}

export function hasMeaning(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.values(value).some(hasMeaning);
}

/** Describes how a value was changed, like `raised to 30 s, the minimum`. */
export function describeBound(given: number, bounded: number, unit = ''): string {
  return given < bounded
    ? `raised to ${bounded}${unit}, the minimum`
    : `lowered to ${bounded}${unit}, the maximum`;
}

/** Returns the interval and timeout within our limits. A note reports every changed value. */
export function readTimes(
  given: { readonly intervalSeconds: number; readonly timeoutMs: number | null },
  { note }: NoteTaker,
): Fields {
  const interval = within(given.intervalSeconds, INTERVAL_MIN_SECONDS, INTERVAL_MAX_SECONDS);
  if (interval !== given.intervalSeconds)
    note(
      `interval ${given.intervalSeconds} s ${describeBound(given.intervalSeconds, interval, ' s')}`,
    );
  if (given.timeoutMs === null) return { interval };
  const longest = Math.min(TIMEOUT_MAX_MS, interval * 1_000);
  const timeoutMs = within(given.timeoutMs, TIMEOUT_MIN_MS, longest);
  if (timeoutMs !== given.timeoutMs)
    note(`timeout ${given.timeoutMs} ms ${describeBound(given.timeoutMs, timeoutMs, ' ms')}`);
  return { interval, timeoutMs };
}

const EVERY_MIN_SECONDS = 30;
const EVERY_MAX_SECONDS = 31_536_000;

/** Returns the schedule of a heartbeat within our limits. A note reports a change. */
export function importSchedule(seconds: number, { note }: NoteTaker): Fields {
  const everySeconds = within(seconds, EVERY_MIN_SECONDS, EVERY_MAX_SECONDS);
  if (everySeconds !== seconds)
    note(`interval ${seconds} s ${describeBound(seconds, everySeconds, ' s')}`);
  return { everySeconds };
}

/** Comparison signs and the corresponding assertion operators. */
export const COMPARISONS: Readonly<Record<string, string>> = {
  '==': 'equals',
  '!=': 'notEquals',
  '<': 'lessThan',
  '<=': 'lessThanOrEqual',
  '>': 'greaterThan',
  '>=': 'greaterThanOrEqual',
};

/** Returns the number of consecutive failures after which the check is down, within our limits. */
export function importConfirmations(count: number, { note }: NoteTaker): number {
  const kept = within(count, 1, CONFIRMATIONS_MAX);
  if (kept !== count) note(`${count} failures in a row ${describeBound(count, kept)}`);
  return kept;
}

function within(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, Math.round(value)));
}

/** Converts the description of a check in the other tool to the note of our check. */
export function importDescription(description: string | null | undefined): Fields {
  const note = (description ?? '').trim();
  return note === '' ? {} : { note: cutText(note, NOTE_MAX) };
}

/** Leaves out fields without a value. */
export function dropEmptyFields(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => {
      if (value === undefined || value === null) return false;
      if (Array.isArray(value)) return value.length > 0;
      return typeof value !== 'object' || Object.keys(value).length > 0;
    }),
  );
}
