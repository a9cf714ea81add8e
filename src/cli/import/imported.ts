/** What an import brings, whatever it came from: definitions of ours, and what has no counterpart. */
import { createHash } from 'node:crypto';
import { cutText } from '../../domain/text/cut-text';

export type Fields = Readonly<Record<string, unknown>>;

export interface ImportNote {
  /** What it is about; empty for the file as a whole. */
  readonly name: string;
  readonly message: string;
}

export interface Imported {
  readonly alertChannels?: readonly Fields[];
  readonly maintenanceWindows?: readonly Fields[];
  readonly monitors: readonly Fields[];
  readonly scenarios?: readonly Fields[];
  readonly statusPages?: readonly Fields[];
  /** Variables of the environment that the texts name, as files declare them. */
  readonly env: readonly (string | { readonly name: string; readonly default: string })[];
  readonly notes: readonly ImportNote[];
}

/** Collects notes on one thing of the file. */
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
 * Keys from names, each used once, and none of those that are taken. A name without Latin letters gives
 * none: its key is that of the id that the source has for it, or comes from the name alone, so that it
 * stays the same in whatever order a file lists things.
 */
export function createKeyMaker(taken: readonly string[] = [], noun = 'monitor'): KeyMaker {
  const used = new Set(taken);
  return (name, id) => {
    const plain = plainKey(name);
    const base = /[a-z]/.test(plain) ? plain : `${noun}-${idKey(id) || fingerprint(name)}`;
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

/** Notes each of these fields that says something. They are known by name, and never shown. */
export function noteFields(fields: Fields, names: readonly string[], { note }: NoteTaker): void {
  for (const name of names)
    if (saysSomething(fields[name])) note(`${name} has no counterpart and is left out`);
}

export function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.values(value).some(saysSomething);
}

/** `raised to 30 s, the minimum`. */
export function boundWords(given: number, bounded: number, unit = ''): string {
  return given < bounded
    ? `raised to ${bounded}${unit}, the minimum`
    : `lowered to ${bounded}${unit}, the maximum`;
}

/** Interval and timeout within our bounds, with a note for each that had to be moved. */
export function timesOf(
  given: { readonly intervalSeconds: number; readonly timeoutMs: number | null },
  { note }: NoteTaker,
): Fields {
  const interval = within(given.intervalSeconds, INTERVAL_MIN_SECONDS, INTERVAL_MAX_SECONDS);
  if (interval !== given.intervalSeconds)
    note(
      `interval ${given.intervalSeconds} s ${boundWords(given.intervalSeconds, interval, ' s')}`,
    );
  if (given.timeoutMs === null) return { interval };
  const longest = Math.min(TIMEOUT_MAX_MS, interval * 1_000);
  const timeoutMs = within(given.timeoutMs, TIMEOUT_MIN_MS, longest);
  if (timeoutMs !== given.timeoutMs)
    note(`timeout ${given.timeoutMs} ms ${boundWords(given.timeoutMs, timeoutMs, ' ms')}`);
  return { interval, timeoutMs };
}

const EVERY_MIN_SECONDS = 30;
const EVERY_MAX_SECONDS = 31_536_000;

/** The schedule of a heartbeat within our bounds, with a note if it had to be moved. */
export function scheduleOf(seconds: number, { note }: NoteTaker): Fields {
  const everySeconds = within(seconds, EVERY_MIN_SECONDS, EVERY_MAX_SECONDS);
  if (everySeconds !== seconds)
    note(`interval ${seconds} s ${boundWords(seconds, everySeconds, ' s')}`);
  return { everySeconds };
}

/** Signs that compare two values, and the operator of an assertion that each stands for. */
export const COMPARISONS: Readonly<Record<string, string>> = {
  '==': 'equals',
  '!=': 'notEquals',
  '<': 'lessThan',
  '<=': 'lessThanOrEqual',
  '>': 'greaterThan',
  '>=': 'greaterThanOrEqual',
};

/** How many failures in a row make it down. */
export function confirmationsOf(count: number, { note }: NoteTaker): number {
  const kept = within(count, 1, CONFIRMATIONS_MAX);
  if (kept !== count) note(`${count} failures in a row ${boundWords(count, kept)}`);
  return kept;
}

function within(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, Math.round(value)));
}

/** What somebody wrote of a check there. */
export function describedIn(description: string | null | undefined): Fields {
  const note = (description ?? '').trim();
  return note === '' ? {} : { note: cutText(note, NOTE_MAX) };
}

/** Without fields that say nothing. */
export function compact(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => {
      if (value === undefined || value === null) return false;
      if (Array.isArray(value)) return value.length > 0;
      return typeof value !== 'object' || Object.keys(value).length > 0;
    }),
  );
}
