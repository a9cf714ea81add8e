/**
 * Monitors the service itself, once a minute. Finds regions without workers, probes whose network is suspect, and times
 * without checks. Reports the start and the end of each problem once.
 */

import type { HousekeepingPass } from '../../contracts/housekeeping';
import { formatInstant } from '../../domain/health/instant-words';
import type { OperatorEvent, OperatorEventKind } from '../../models/operations/operator-events';
import type { Stores } from '../../models/stores';
import type { Clock } from '../../platform/clock';
import { toInstant } from '../lists/instants';
import type { Mailer } from '../ports/dependencies';
import { listRegions } from '../regions/regions';

/**
 * A region without workers is reported after this many observations in a row. Short outages, for example during a start
 * or an upgrade, are therefore not reported.
 */
const NOTICES_BEFORE_REPORT = 2;
/** Maximum time between two observations that count as consecutive. */
const LOOKS_APART_MAX_MS = 3 * 60_000;
/**
 * If there was no observation for this long, the service counts as not monitored. Repairs delay observations for less
 * than that.
 */
const BLIND_AFTER_MS = 10 * 60_000;

export interface OperationNeeds {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly configuredRegions: readonly string[];
  /** Writes to the log of the service, for operators. */
  readonly notifyOperator: (facts: Readonly<Record<string, string>>, sentence: string) => void;
  /** Sends emails to the operator. null if no mail server or no email address of the operator is set. */
  readonly operatorMail: { readonly to: string; readonly mailer: Mailer } | null;
}

interface Trouble {
  readonly kind: OperatorEventKind;
  readonly subject: string;
  readonly sinceMs: number;
  readonly endedAtMs: number | null;
}

/**
 * Looks for problems and reports them. Returns the number of reports. If the mail server does not accept an email, the
 * next call tries again.
 */
export async function watchOperation(
  needs: OperationNeeds,
  look: HousekeepingPass,
): Promise<number> {
  const nowMs = needs.clock.now();
  const [troubles, known] = await Promise.all([
    findTroubles(needs, look),
    needs.stores.operatorEvents.list(),
  ]);
  const events = [
    ...troubles.map((trouble) => noticed(trouble, { known, nowMs })),
    ...known
      .filter(({ id }) => !troubles.some((trouble) => formatId(trouble) === id))
      .map((event) => ({ ...event, endedAtMs: event.endedAtMs ?? nowMs })),
  ];
  let reported = 0;
  for (const event of events) reported += await reportOne(needs, event);
  return reported;
}

async function findTroubles(
  needs: OperationNeeds,
  { sinceMs: lastLookMs, beganAtMs }: HousekeepingPass,
): Promise<readonly Trouble[]> {
  const regions = await listRegions(needs);
  const trouble = (kind: OperatorEventKind, subject: string, since: string): Trouble => ({
    kind,
    subject,
    sinceMs: Date.parse(since),
    endedAtMs: null,
  });
  const isBlind = lastLookMs !== null && beganAtMs - lastLookMs > BLIND_AFTER_MS;
  return [
    ...regions.flatMap(({ id, status, lastSeenAt, networkSuspectSince }) => {
      if (status === 'offline')
        return lastSeenAt === null ? [] : [trouble('region_offline', id, lastSeenAt)];
      return networkSuspectSince === null
        ? []
        : [trouble('network_suspect', id, networkSuspectSince)];
    }),
    ...(isBlind
      ? [{ kind: 'service_blind', subject: '', sinceMs: lastLookMs, endedAtMs: beganAtMs } as const]
      : []),
  ];
}

function formatId({ kind, subject }: Pick<Trouble, 'kind' | 'subject'>): string {
  return `${kind}:${subject}`;
}

interface Notice {
  readonly known: readonly OperatorEvent[];
  readonly nowMs: number;
}

/** Updates the known event of the problem, or creates one. */
function noticed(trouble: Trouble, { known, nowMs }: Notice): OperatorEvent {
  const before = known.find(({ id }) => id === formatId(trouble));
  // If the end of an earlier problem was not reported, it is reported together with the end of the current problem.
  const isSame = before?.isLogged === true;
  const isConsecutive = before !== undefined && nowMs - before.noticedAtMs <= LOOKS_APART_MAX_MS;
  return {
    ...trouble,
    id: formatId(trouble),
    sinceMs: isSame || isConsecutive ? before.sinceMs : trouble.sinceMs,
    notices: isSame || isConsecutive ? before.notices + 1 : 1,
    noticedAtMs: nowMs,
    isLogged: before?.isLogged ?? false,
    isMailed: before?.isMailed ?? false,
    isEndLogged: false,
  };
}

/**
 * Reports an event if a report is due. Returns the number of new reports: 0 or 1. Stores the event before and after the
 * email, so that a crash may repeat the email but cannot lose it.
 */
async function reportOne(needs: OperationNeeds, event: OperatorEvent): Promise<number> {
  const { operatorEvents } = needs.stores;
  const isOver = event.endedAtMs !== null;
  const isDue = event.kind !== 'region_offline' || event.notices >= NOTICES_BEFORE_REPORT;
  if (!event.isLogged && (!isDue || (isOver && event.kind !== 'service_blind'))) {
    if (isOver) await operatorEvents.remove(event.id);
    else await operatorEvents.save(event);
    return 0;
  }
  const isNew = !event.isLogged || (isOver && !event.isEndLogged);
  if (isNew) log(needs, event);
  const logged = { ...event, isLogged: true, isEndLogged: isOver };
  await operatorEvents.save(logged);
  const isMailed = (!isOver && event.isMailed) || (await mail(needs, event));
  if (isOver && isMailed) await operatorEvents.remove(event.id);
  else await operatorEvents.save({ ...logged, isMailed });
  return isNew ? 1 : 0;
}

function log({ notifyOperator }: OperationNeeds, event: OperatorEvent): void {
  const { kind, subject, sinceMs, endedAtMs } = event;
  const facts = {
    kind,
    ...(subject === '' ? {} : { region: subject }),
    since: toInstant(sinceMs),
    ...(endedAtMs === null ? {} : { until: toInstant(endedAtMs) }),
  };
  notifyOperator(facts, formatSentence(event));
}

/** Sends the email. Returns false if the mail server did not accept it. */
async function mail({ operatorMail }: OperationNeeds, event: OperatorEvent): Promise<boolean> {
  if (operatorMail === null) return true;
  const { to, mailer } = operatorMail;
  const sentence = formatSentence(event);
  const { sinceMs, endedAtMs } = event;
  const lines = [
    `${sentence}.`,
    `Since: ${formatInstant(sinceMs)}`,
    ...(endedAtMs === null ? [] : [`Until: ${formatInstant(endedAtMs)}`]),
    'This time does not count against your monitors.',
  ];
  const html = lines.map((line) => `<p>${line}</p>`).join('\n');
  const email = { to, subject: `Keepwatch: ${sentence}`, text: lines.join('\n'), html };
  return mailer.sendMail(email).then(
    () => true,
    () => false,
  );
}

/** Builds the sentence of a report. Names of regions need no escaping. */
function formatSentence({ kind, subject, endedAtMs }: OperatorEvent): string {
  const isOver = endedAtMs !== null;
  switch (kind) {
    case 'region_offline':
      return isOver ? `region ${subject} has workers again` : `region ${subject} has no worker`;
    case 'network_suspect':
      return isOver
        ? `the network of region ${subject} works again`
        : `the network of region ${subject} is suspect; its outcomes are unknown`;
    case 'service_blind':
      return 'the service could not check for a while';
  }
}
