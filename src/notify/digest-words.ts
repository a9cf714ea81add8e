/** Describes digests: the state of the checks in the title, and one line for each alert. */
import type { DigestEntry } from '../contracts/alerting/alert-facts';
import type { AlertMessage } from '../contracts/alerts';
import { formatInstant } from '../domain/health/instant-words';
import { toOneLine } from '../domain/text/plain-lines';

/** How many names of checks the title contains. */
const NAMED_MAX = 2;

type State = 'recovered' | 'down' | 'flapping' | 'degraded' | 'certificate' | 'registration';

/** The states in the order of the title. */
const STATES: readonly State[] = [
  'recovered',
  'down',
  'flapping',
  'degraded',
  'certificate',
  'registration',
];

const THINGS: Readonly<Partial<Record<State, readonly [one: string, many: string]>>> = {
  certificate: ['certificate', 'certificates'],
  registration: ['registration', 'registrations'],
};

/**
 * Writes a line like `12 checks are down: Checkout, Storefront and 10 more`, or `3 recovered, 9 still down` if the
 * checks have different states. A check that occurs more than once counts with its latest state.
 */
export function writeDigestHeadline({ entries, atMs }: AlertMessage): string {
  const groups = groupByState(entries);
  const [first] = groups;
  if (first === undefined) return 'No alerts';
  if (groups.length === 1) return `${longSentence(first, atMs)}${nameChecks(first)}`;
  const recovered = groups.find(({ state }) => state === 'recovered')?.own ?? [];
  const recoveredMs = Math.min(...recovered.map((entry) => entry.atMs));
  return groups.map((group) => shortSentence(group, { atMs, recoveredMs })).join(', ');
}

/**
 * `good` means that all checks have recovered. `neutral` means that the digest contains nothing worse than warnings of
 * expiry.
 */
export function findDigestTone({
  entries,
}: Pick<AlertMessage, 'entries'>): 'bad' | 'good' | 'neutral' {
  const states = groupByState(entries).map(({ state }) => state);
  const isHarmless = (state: State): boolean => state === 'recovered' || state in THINGS;
  if (states.length === 0 || !states.every(isHarmless)) return 'bad';
  return states.every((state) => state === 'recovered') ? 'good' : 'neutral';
}

/** Returns a line like `Checkout: got 503, expected 2xx (down since 2026-01-05 12:00:00 UTC)`. */
export function writeEntryFact(entry: DigestEntry) {
  const { resourceName, atMs, reason } = entry;
  const state = readState(entry);
  const name = toOneLine(resourceName);
  if (state in THINGS) {
    const value = `expires ${formatInstant(atMs)}`;
    return { name, value: reason === undefined ? value : `${reason}, ${value}` };
  }
  const since = `${state === 'recovered' ? 'up again' : state} since ${formatInstant(atMs)}`;
  return { name, value: reason === undefined ? since : `${reason} (${since})` };
}

interface Group {
  readonly state: State;
  readonly own: readonly DigestEntry[];
}

/** Groups the checks by their latest states, in the order of the title. */
function groupByState(entries: readonly DigestEntry[]): readonly Group[] {
  const latest = new Map<string, DigestEntry>();
  for (const entry of entries) {
    const key = subjectKey(entry);
    const other = latest.get(key);
    if (other === undefined || entry.atMs >= other.atMs) latest.set(key, entry);
  }
  return STATES.map((state) => ({
    state,
    own: [...latest.values()].filter((entry) => readState(entry) === state),
  })).filter(({ own }) => own.length > 0);
}

/**
 * Returns a key for the subject of an entry. For warnings, the check is not enough: it may use several certificates,
 * which expire at different times.
 */
function subjectKey(entry: DigestEntry): string {
  const subject = entry.resourceId ?? entry.resourceName;
  return entry.kind === 'certificate' ? `${subject} ${readState(entry)} ${entry.atMs}` : subject;
}

function readState({ kind, domain }: DigestEntry): State {
  if (kind === 'certificate') return domain === undefined ? 'certificate' : 'registration';
  if (kind === 'recovery') return 'recovered';
  return kind === 'flapping' || kind === 'degraded' ? kind : 'down';
}

/** Writes a sentence like `12 checks are down`, or `Checkout is down` for one check. */
function longSentence({ state, own }: Group, atMs: number): string {
  const things = THINGS[state];
  const isOne = own.length === 1;
  if (things !== undefined) return `${count(own, things)} ${expiryVerb(own, atMs)}`;
  const subject = isOne ? toOneLine(own[0]?.resourceName ?? '') : `${own.length} checks`;
  if (state === 'recovered') return `${subject} ${isOne ? 'is' : 'are'} up again`;
  return `${subject} ${isOne ? 'is' : 'are'} ${state}`;
}

/** Writes a part of the title like `9 still down`. */
function shortSentence(
  { state, own }: Group,
  { atMs, recoveredMs }: { readonly atMs: number; readonly recoveredMs: number },
): string {
  const things = THINGS[state];
  if (things !== undefined) return `${count(own, things)} ${expiryVerb(own, atMs)}`;
  // If all of these checks went down before the first recovery, they are still down.
  const isStill = state === 'down' && own.every((entry) => entry.atMs <= recoveredMs);
  const hasRecovered = Number.isFinite(recoveredMs);
  return `${own.length} ${isStill && hasRecovered ? 'still ' : ''}${state}`;
}

function count(own: readonly DigestEntry[], [one, many]: readonly [string, string]): string {
  return `${own.length} ${own.length === 1 ? one : many}`;
}

function expiryVerb(own: readonly DigestEntry[], atMs: number): string {
  const isOne = own.length === 1;
  const expired = own.filter((entry) => entry.atMs <= atMs).length;
  if (expired === own.length) return isOne ? 'has expired' : 'have expired';
  return expired === 0 ? `expire${isOne ? 's' : ''} soon` : 'expire soon or have expired';
}

/** Writes `: Checkout, Storefront and 10 more`. Empty for one check, whose name the sentence contains. */
function nameChecks({ state, own }: Group): string {
  if (own.length === 1 && THINGS[state] === undefined) return '';
  const named = own.slice(0, NAMED_MAX).map(({ resourceName }) => toOneLine(resourceName));
  const others = own.length - named.length;
  if (others > 0) return `: ${named.join(', ')} and ${others} more`;
  return `: ${named.join(' and ')}`;
}
