/**
 * Generates the history of a simulated service from a seed in advance: its monitors, the states of their targets, and
 * all faults with their times. Pure functions.
 */

import type { MaintenanceSpan, WeeklyHours } from '../../../src/contracts/maintenance';
import type { CheckStatus } from '../../../src/contracts/outcome';
import { listClosures } from '../../../src/domain/health/service-hours';
import { DAY_MS, HOUR_MS } from '../../../src/domain/health/summary';
import type { Monitor } from '../../../src/models/resources/monitors';
import { createWallClock } from '../../../src/services/maintenance/wall-clock';
import { createRandom } from '../../support/random';

export const REGIONS = ['eu-west', 'us-east'];
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Faults and badly timed changes by people, with the limits of their duration. 0 means that they are instantaneous. */
const TROUBLES = [
  { kind: 'no probe', leastMs: 60 * SECOND_MS, mostMs: 40 * MINUTE_MS },
  { kind: 'probe dies', leastMs: SECOND_MS, mostMs: 20 * MINUTE_MS },
  { kind: 'probe dies in a check', leastMs: SECOND_MS, mostMs: 20 * MINUTE_MS },
  { kind: 'checks hang', leastMs: 60 * SECOND_MS, mostMs: 10 * MINUTE_MS },
  { kind: 'database away', leastMs: 5 * SECOND_MS, mostMs: 40 * MINUTE_MS },
  { kind: 'database slow', leastMs: 10 * SECOND_MS, mostMs: 30 * MINUTE_MS },
  { kind: 'database refuses', leastMs: 60 * SECOND_MS, mostMs: 20 * MINUTE_MS },
  { kind: 'answers lost', leastMs: 60 * SECOND_MS, mostMs: 60 * MINUTE_MS },
  { kind: 'no orchestrator', leastMs: 5 * SECOND_MS, mostMs: 40 * MINUTE_MS },
  { kind: 'channel down', leastMs: 60 * SECOND_MS, mostMs: 120 * MINUTE_MS },
  { kind: 'sender dies', leastMs: 60 * SECOND_MS, mostMs: 10 * MINUTE_MS },
  { kind: 'paused', leastMs: SECOND_MS, mostMs: 120 * MINUTE_MS },
  { kind: 'workflow lost', leastMs: SECOND_MS, mostMs: 15 * MINUTE_MS },
  { kind: 'cache lost', leastMs: 0, mostMs: 0 },
  { kind: 'continues as new', leastMs: 0, mostMs: 0 },
  { kind: 'check now', leastMs: 0, mostMs: 0 },
  { kind: 'edited', leastMs: 0, mostMs: 0 },
  { kind: 'all at once', leastMs: 0, mostMs: 0 },
] as const;

export type TroubleKind = (typeof TROUBLES)[number]['kind'];

export interface Trouble {
  readonly kind: TroubleKind;
  readonly fromMs: number;
  /** Equals `fromMs` if the trouble is instantaneous. */
  readonly toMs: number;
  readonly region: string;
  readonly monitorId: string;
}

export interface SimulatedMonitor {
  readonly rules: Partial<Monitor> & Pick<Monitor, 'id' | 'intervalSeconds'>;
  /** The instant at which the monitor is saved for the first time. */
  readonly createdAtMs: number;
  readonly spells: readonly Spell[];
  readonly spans: readonly MaintenanceSpan[];
}

/** A time in which a target is not up. */
interface Spell {
  readonly fromMs: number;
  readonly toMs: number;
  readonly status: CheckStatus;
  /** The region in which the status is seen. null if all regions see it. */
  readonly region: string | null;
  /** If true, the target is up again in every other slot. */
  readonly isFlapping: boolean;
}

export interface Life {
  readonly seed: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly monitors: readonly SimulatedMonitor[];
  /** The troubles, sorted by their starts. */
  readonly troubles: readonly Trouble[];
}

/** Nights of 2027 in which daylight saving changes somewhere. */
const CLOCK_CHANGES = [
  ['Europe/Berlin', Date.UTC(2027, 2, 28, 1)],
  ['Europe/Berlin', Date.UTC(2027, 9, 31, 1)],
  ['America/New_York', Date.UTC(2027, 2, 14, 7)],
  ['America/New_York', Date.UTC(2027, 10, 7, 6)],
  ['Australia/Lord_Howe', Date.UTC(2027, 3, 3, 15)],
  ['Australia/Lord_Howe', Date.UTC(2027, 9, 2, 15, 30)],
] as const;
const FIRST_DAY_MS = Date.UTC(2027, 0, 5);
/** Length of the time at the end in which nothing starts, so that everything can end. */
const LAST_HOURS_MS = 3 * HOUR_MS;

export function imagineLife(seed: number, days: number): Life {
  const draw = createDraw(seed);
  const [timeZone, changesMs] = draw.one(CLOCK_CHANGES);
  const fromMs = draw.chance(0.5)
    ? changesMs - draw.between(HOUR_MS, DAY_MS)
    : FIRST_DAY_MS + draw.between(0, 300 * DAY_MS);
  const toMs = fromMs + Math.round(days * DAY_MS);
  const span = { fromMs, toMs: toMs - LAST_HOURS_MS };
  const count = draw.one([1, 2] as const);
  const monitors = Array.from({ length: count }, (_, index) =>
    imagineMonitor(draw, { index, timeZone, ...span }),
  );
  return { seed, fromMs, toMs, monitors, troubles: imagineTroubles(draw, monitors, span) };
}

interface Bounds {
  readonly fromMs: number;
  readonly toMs: number;
}

function createDraw(seed: number) {
  const random = createRandom(seed);
  return {
    chance: (share: number): boolean => random() < share,
    between: (from: number, to: number): number => Math.floor(from + random() * (to - from)),
    /** Returns a random duration. Short durations are as frequent as long ones. */
    lasting: (from: number, to: number): number => Math.floor(from * (to / from) ** random()),
    one: <Items extends readonly [unknown, ...unknown[]]>(items: Items): Items[number] =>
      items[Math.floor(random() * items.length)] ?? items[0],
  };
}

type Draw = ReturnType<typeof createDraw>;

function imagineMonitor(
  draw: Draw,
  { index, timeZone, fromMs, toMs }: Bounds & { readonly index: number; readonly timeZone: string },
): SimulatedMonitor {
  const createdAtMs = fromMs + draw.between(0, 10 * MINUTE_MS);
  const minutes = draw.one([2, 5, 10, 15] as const);
  const rules = {
    id: `mon_simulated_${index}`,
    intervalSeconds: minutes * 60,
    quorum: draw.one([1, 2] as const),
    failuresBeforeDown: draw.one([1, 2, 3] as const),
    successesBeforeUp: draw.one([1, 2] as const),
    alerts: {
      channels: [],
      emails: [],
      onFailure: true,
      onRecovery: draw.chance(0.8),
      onDegraded: draw.chance(0.5),
      remindEveryMinutes: draw.one([null, 30, 90] as const),
      policy: null,
    },
  };
  const spans = draw.chance(0.5) ? imagineSpans(draw, timeZone, { fromMs: createdAtMs, toMs }) : [];
  return { rules, createdAtMs, spells: imagineSpells(draw, { fromMs, toMs }), spans };
}

/** Generates spans in which checks are closed at night in local time, or muted around noon. */
function imagineSpans(draw: Draw, timeZone: string, bounds: Bounds): readonly MaintenanceSpan[] {
  const from = draw.one(['01:30', '02:30', '03:00', '08:00'] as const);
  const to = draw.one(['01:30', '02:00', '20:00', '23:59'] as const);
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
  const hours: WeeklyHours = { timeZone, weekly: [{ days, from, to }], holidays: [] };
  const mode = draw.one(['pause', 'mute'] as const);
  // Limits the spans to the number that a plan can contain.
  return listClosures(hours, createWallClock(timeZone), bounds)
    .filter(({ fromMs, toMs }) => toMs - fromMs < 14 * HOUR_MS && toMs < bounds.toMs)
    .slice(0, 10)
    .map((one) => ({ ...one, windowId: 'mnt_simulated', mode }));
}

function imagineSpells(draw: Draw, { fromMs, toMs }: Bounds): readonly Spell[] {
  const spells: Spell[] = [];
  for (let atMs = fromMs; atMs < toMs; ) {
    const begunMs = atMs + draw.lasting(20 * MINUTE_MS, 16 * HOUR_MS);
    const endMs = begunMs + draw.lasting(MINUTE_MS, 3 * HOUR_MS);
    spells.push({
      fromMs: begunMs,
      toMs: endMs,
      status: draw.one(['down', 'down', 'degraded'] as const),
      region: draw.chance(0.3) ? draw.one(['eu-west', 'us-east'] as const) : null,
      isFlapping: draw.chance(0.15),
    });
    atMs = endMs;
  }
  return spells;
}

/** Returns the status of a target in a slot. */
export function statusAt(
  { spells, rules }: SimulatedMonitor,
  region: string,
  slotMs: number,
): CheckStatus {
  const spell = spells.findLast((one) => one.fromMs <= slotMs && slotMs < one.toMs);
  if (spell === undefined || (spell.region !== null && spell.region !== region)) return 'up';
  const isOdd = Math.floor(slotMs / (rules.intervalSeconds * 1_000)) % 2 === 1;
  return spell.isFlapping && isOdd ? 'up' : spell.status;
}

const EVERY_MS = 3 * HOUR_MS;

function imagineTroubles(
  draw: Draw,
  monitors: readonly SimulatedMonitor[],
  { fromMs, toMs }: Bounds,
): readonly Trouble[] {
  const troubles: Trouble[] = [];
  const free = new Map<string, number>();
  for (let atMs = fromMs + HOUR_MS; atMs < toMs; atMs += draw.between(MINUTE_MS, EVERY_MS)) {
    const { kind, leastMs, mostMs } = draw.one(TROUBLES);
    const region = draw.one(['eu-west', 'us-east'] as const);
    const monitorId = monitors[draw.between(0, monitors.length)]?.rules.id ?? '';
    const forMs = mostMs === 0 ? 0 : draw.lasting(leastMs, mostMs);
    const owner = ownerOf({ kind, region, monitorId });
    if ((free.get(owner) ?? 0) > atMs) continue;
    free.set(owner, atMs + forMs + 1);
    troubles.push({ kind, fromMs: atMs, toMs: atMs + forMs, region, monitorId });
  }
  return troubles;
}

/** Returns the object that the trouble affects. An object can have only one trouble of this kind at a time. */
function ownerOf({ kind, region, monitorId }: Pick<Trouble, 'kind' | 'region' | 'monitorId'>) {
  if (kind === 'no probe' || kind.startsWith('probe')) return `probe ${region}`;
  if (kind === 'paused' || kind === 'workflow lost') return `${kind} ${monitorId}`;
  if (kind === 'no orchestrator' || kind === 'cache lost') return 'orchestrator';
  return kind;
}
