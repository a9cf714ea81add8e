/**
 * The oracle of the simulation. It compares what a service has stored and sent with what it should have stored and
 * sent, and names each incorrect slot and alert. It also reports every problem that the product's own ledger shows.
 */
import type { AlertState } from '../../../src/contracts/alerts';
import type { MonitorCheckRecord } from '../../../src/contracts/records';
import type { HealthState } from '../../../src/contracts/workflows';
import { accountForAlerts } from '../../../src/domain/alerting/alert-ledger';
import { NO_ALERTS } from '../../../src/domain/alerting/alert-policy';
import { nextHeldAlerts } from '../../../src/domain/alerting/held-alerts';
import { createPendingHealth, nextHealth } from '../../../src/domain/health/health';
import {
  addAccounts,
  compareWithSchedule,
  type SlotAccount,
  tallySlots,
} from '../../../src/domain/health/slot-ledger';
import type { Result } from '../../../src/models/results/result';
import { toResultDocument } from '../../../src/models/results/result-documents';
import type { LivedLife, LivedMonitor } from './live-through';
import { REGIONS, statusAt } from './random-life';

/** Milliseconds before the end. Slots and alerts within this time may still be in progress. */
const UNDER_WAY_MS = 30 * 60_000;

export interface LifeAccount {
  readonly slots: SlotAccount;
  readonly alerts: ReturnType<typeof accountForAlerts>;
  /** Empty if everything is correct. */
  readonly problems: readonly string[];
}

export function accountForLife(lived: LivedLife): LifeAccount {
  const parts = lived.monitors.map((monitor) => accountForMonitor(lived, monitor));
  const deliveries = [...lived.ledger.deliveries.values()].map(({ alert, target, status }) => ({
    incidentId: alert.incidentId,
    kind: alert.kind,
    channelId: target.channelId,
    recipient: target.masked,
    status,
  }));
  const alerts = accountForAlerts(deliveries);
  const slots = addAccounts(parts.map((part) => part.slots));
  const own = parts.flatMap(({ problems }) => problems);
  return { slots, alerts, problems: [...own, ...findLedgerProblems(slots, alerts)] };
}

/** Returns the problems that the product's own ledger shows. */
function findLedgerProblems(
  { unaccounted }: SlotAccount,
  { pending, failed, doubled }: LifeAccount['alerts'],
): readonly string[] {
  return [
    ...(unaccounted === 0 ? [] : [`the ledger counts ${unaccounted} slots as unaccounted for`]),
    ...(pending + failed === 0 ? [] : [`${pending + failed} alerts are not sent`]),
    ...(doubled === 0 ? [] : [`the ledger counts ${doubled} alerts as doubled`]),
  ];
}

function accountForMonitor(lived: LivedLife, monitor: LivedMonitor) {
  const regions = REGIONS.map((region) => accountForRegion(lived, monitor, region));
  const history = foldHistory(lived, monitor);
  const problems = [
    ...regions.flatMap((one) => one.problems),
    ...history.problems,
    ...findAlertProblems(lived, monitor, history.owed),
    ...findRequestProblems(lived, monitor),
  ];
  const { id } = monitor.config;
  return {
    slots: addAccounts(regions.map(({ slots }) => slots)),
    problems: problems.map((problem) => `${id}: ${problem}`),
  };
}

/** The numbers of checks and gaps that are stored for a slot. */
interface Covered {
  checks: number;
  gaps: number;
}

function accountForRegion(lived: LivedLife, monitor: LivedMonitor, region: string) {
  const { anchorMs, intervalMs, id } = monitor.config;
  const untilMs = lived.life.toMs - UNDER_WAY_MS;
  const own = [...lived.database.results.values()].filter(
    (row) => row.monitorId === id && row.region === region && row.kind === 'scheduled',
  );
  const rests = restsOf(monitor);
  const isResting = (slotMs: number): boolean =>
    rests.some(({ fromMs, toMs }) => fromMs <= slotMs && slotMs < toMs);
  const covered = new Map<number, Covered>();
  const problems: string[] = [];
  const cover = (slotMs: number, kind: keyof Covered): void => {
    const before = covered.get(slotMs) ?? { checks: 0, gaps: 0 };
    covered.set(slotMs, { ...before, [kind]: before[kind] + 1 });
    if (slotMs < anchorMs || (slotMs - anchorMs) % intervalMs !== 0)
      problems.push(`${nameSlot(region, slotMs)} is stored and never was due`);
  };
  for (const row of own) {
    if (row.gap === null) {
      cover(row.slotMs, 'checks');
      continue;
    }
    const { fromSlotMs, toSlotMs, slots } = row.gap;
    const all = gridBetween(fromSlotMs, toSlotMs, intervalMs);
    const counted = slots === all.length ? all : all.filter((slotMs) => !isResting(slotMs));
    if (counted.length !== slots)
      problems.push(`${nameSlot(region, fromSlotMs)}: a gap of ${slots} holds ${counted.length}`);
    for (const slotMs of counted) cover(slotMs, 'gaps');
  }
  const due = gridBetween(anchorMs, untilMs, intervalMs).filter((slotMs) => !isResting(slotMs));
  for (const slotMs of due) {
    const { checks, gaps } = covered.get(slotMs) ?? { checks: 0, gaps: 0 };
    if (checks + gaps === 0)
      problems.push(`${nameSlot(region, slotMs)} is neither made nor missed`);
    if (checks > 1) problems.push(`${nameSlot(region, slotMs)} is stored ${checks} times`);
    if (gaps > 1) problems.push(`${nameSlot(region, slotMs)} is named as missed ${gaps} times`);
  }
  for (const row of own) problems.push(...findRowProblems(monitor, row));
  return { slots: countSlots(own, due, { fromMs: anchorMs, toMs: untilMs + 1 }), problems };
}

/** Counts the slots as the ledger of an account does. */
function countSlots(
  own: readonly Result[],
  due: readonly number[],
  span: { readonly fromMs: number; readonly toMs: number },
): SlotAccount {
  const inside = own.filter(({ slotMs }) => slotMs >= span.fromMs && slotMs < span.toMs);
  const results = inside
    .filter(({ gap }) => gap === null)
    .map((row) => {
      const { l, u } = toResultDocument(row);
      const reason = row.status === 'unknown' ? (u ?? 'unknown') : null;
      return { slotMs: row.slotMs, isLate: l === true, reason };
    });
  const gaps = inside.flatMap(({ gap }) => gap ?? []);
  return compareWithSchedule(tallySlots(results, gaps, span), due.length);
}

function findRowProblems({ simulated, pauses }: LivedMonitor, row: Result): readonly string[] {
  const { region, slotMs, status, gap } = row;
  if (gap !== null || status === 'unknown') return [];
  const found: string[] = [];
  const wanted = statusAt(simulated, region, slotMs);
  if (status !== wanted)
    found.push(`${nameSlot(region, slotMs)} is stored as ${status} and was ${wanted}`);
  if (pauses.some(({ fromMs, toMs }) => fromMs < slotMs && slotMs < toMs))
    found.push(`${nameSlot(region, slotMs)} was checked in a pause`);
  return found;
}

function restsOf({ simulated, pauses }: LivedMonitor) {
  const { spans, createdAtMs } = simulated;
  const closed = spans.filter(({ mode, toMs }) => mode === 'pause' && toMs > createdAtMs);
  return [...pauses, ...closed];
}

function gridBetween(fromMs: number, toMs: number, intervalMs: number): readonly number[] {
  const length = Math.max(0, Math.floor((toMs - fromMs) / intervalMs) + 1);
  return Array.from({ length }, (_, index) => fromMs + index * intervalMs);
}

interface Owed {
  readonly kind: string;
  readonly atMs: number;
}

/** Computes health and alerts from the stored results. Compares them with what the workflow reported about itself. */
function foldHistory({ database, life }: LivedLife, { config, losses, simulated }: LivedMonitor) {
  const stored = database.readRecords(config.id);
  const problems: string[] = [];
  const owed: Owed[] = [];
  let health: HealthState = createPendingHealth(simulated.createdAtMs);
  let alerts: AlertState = NO_ALERTS;
  const left = [...losses];
  for (const [index, record] of inOrder(stored, losses).entries()) {
    for (let next = left[0]; next !== undefined && next.records <= index; next = left[0]) {
      ({ health, alerts } = next.state);
      left.shift();
    }
    health = foldHealth(health, record, config);
    const { slotMs: atMs } = record;
    if (health.health !== record.health || health.sinceMs !== record.healthSinceMs)
      problems.push(
        `${nameSlot('all', atMs)} is ${health.health} since ${nameTime(health.sinceMs)} by what is stored, and ` +
          `${record.health} since ${nameTime(record.healthSinceMs)} by its workflow`,
      );
    const verdict = nextHeldAlerts(alerts, alertSlotOf(record, health), {
      rules: config.alerts,
      dependsOn: config.dependsOn,
    });
    alerts = verdict.state;
    owed.push(...verdict.due.map(({ kind }) => ({ kind, atMs })));
  }
  const status = database.readStatus(config.id);
  if (status?.health !== health.health)
    problems.push(`it ends as ${status?.health}, and is ${health.health} by what is stored`);
  const isOpen = database.findOpenIncident(config.id) !== null;
  if (isOpen !== (alerts.incident !== null))
    problems.push(isOpen ? 'an incident stays open' : 'no incident is open at the end');
  if (stored.length === 0) problems.push(`nothing was recorded until ${nameTime(life.toMs)}`);
  return { owed, problems };
}

/**
 * Sorts the records by slot, because records that waited for the database may be stored late. The records of a lost
 * workflow stay before the records of the next one.
 */
function inOrder(
  stored: readonly MonitorCheckRecord[],
  losses: LivedMonitor['losses'],
): readonly MonitorCheckRecord[] {
  const ends = [...losses.map(({ records }) => records), stored.length];
  return ends.flatMap((end, index) =>
    stored.slice(ends[index - 1] ?? 0, end).toSorted((one, other) => one.slotMs - other.slotMs),
  );
}

function foldHealth(
  health: HealthState,
  { slotMs: atMs, outcomes }: MonitorCheckRecord,
  rule: Parameters<typeof nextHealth>[2],
): HealthState {
  if (outcomes.length === 0) return health;
  const observations = outcomes.map(({ region, outcome: { status, responseTimeMs } }) => ({
    region,
    status,
    responseTimeMs,
  }));
  return nextHealth(health, { atMs, observations }, rule);
}

function alertSlotOf(record: MonitorCheckRecord, { health, sinceMs }: HealthState) {
  const id = record.incident?.id ?? record.currentIncidentId ?? '';
  return {
    atMs: record.slotMs,
    health,
    healthSinceMs: sinceMs,
    opening: { id, cause: null, regions: [], firstRunId: null },
    isMuted: record.inMaintenance,
  };
}

function findAlertProblems(
  { mailbox, ledger }: LivedLife,
  { config: { id } }: LivedMonitor,
  owed: readonly Owed[],
): readonly string[] {
  const sent = new Map(
    mailbox.filter(({ resourceId }) => resourceId === id).map((alert) => [alert.id, alert]),
  );
  const problems: string[] = [];
  const left = new Set(sent.values());
  for (const { kind, atMs } of owed) {
    const same = [...left].filter((alert) => alert.kind === kind && alert.atMs === atMs);
    for (const alert of same) left.delete(alert);
    if (same.length === 0)
      problems.push(`the ${kind} of ${nameTime(atMs)} was owed and never sent`);
    if (same.length > 1)
      problems.push(`the ${kind} of ${nameTime(atMs)} was sent as ${same.length} alerts`);
  }
  for (const { kind, atMs } of left)
    problems.push(`a ${kind} of ${nameTime(atMs)} was sent and not owed`);
  for (const alertId of sent.keys()) {
    const stored = [...ledger.deliveries.values()].filter(({ alert }) => alert.id === alertId);
    if (stored.length !== 1) problems.push(`the alert ${alertId} is stored ${stored.length} times`);
  }
  return problems;
}

/**
 * Finds problems with requested checks. A request may be answered twice if it was lost with its workflow, because the
 * client may repeat it.
 */
function findRequestProblems(
  { database }: LivedLife,
  { config: { id }, requests, losses }: LivedMonitor,
): readonly string[] {
  const answered = database.readRecords(id).flatMap(({ requestIds }) => requestIds ?? []);
  return requests.flatMap((request) => {
    const times = answered.filter((one) => one === request.id).length;
    const isLost = losses.some(({ atMs }) => atMs >= request.atMs);
    if (times === 1 || (times === 0 && isLost)) return [];
    return [`the check asked for at ${nameTime(request.atMs)} was made ${times} times`];
  });
}

function nameSlot(region: string, slotMs: number): string {
  return `slot ${nameTime(slotMs)} of ${region}`;
}

function nameTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(5, 23);
}
