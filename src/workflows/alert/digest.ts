/**
 * If an account has too many alerts at once, collects its alerts for half a minute. Then sends them as one message to
 * each recipient.
 */
import {
  CancellationScope,
  condition,
  defineSignal,
  patched,
  proxyActivities,
  setHandler,
  startChild,
  uuid4,
} from '@temporalio/workflow';
import type { DigestEntry } from '../../contracts/alerting/alert-facts';
import {
  ALERT_QUEUE,
  type AlertActivities,
  type AlertInput,
  type AlertMessage,
  type AlertTarget,
  alertWorkflowId,
  type FoldedAlert,
} from '../../contracts/alerts';
import { type DigestState, FOLD_SIGNAL } from '../../contracts/digests';
import { ESCALATION_ENDS, type EscalationEnd } from '../../contracts/escalation';
import { WORKFLOW_TYPES } from '../../contracts/workflows';
import { listDirectTargets, listFallbackChain } from '../../domain/alerting/fallback-targets';
import { writeReason } from '../../domain/alerting/reason';
import { cutText } from '../../domain/text/cut-text';
import { isHistoryLarge, startOver } from '../loop/continue';

const GATHER_MS = 30_000;
/** Maximum number of alerts per message. It is far below Temporal's limit for one input. */
const ENTRIES_MAX = 2_000;
/**
 * Maximum number of entries with a reason. More reasons could make a large digest exceed Temporal's limit for one
 * input.
 */
const REASONS_MAX = 500;
const REASON_MAX = 80;
const KEPT_AT_ONCE = 50;
/**
 * Maximum number of JSON characters that may move to the next history. Each character has at most 3 bytes, and Temporal
 * accepts 2 MB.
 */
const CARRIED_MAX = 500_000;

const { keepFolded, findQuietIncidents, findReported } = proxyActivities<AlertActivities>({
  taskQueue: ALERT_QUEUE,
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Gathers and sends alerts until no more arrive. If an operator cancels the digest, the gathering ends and the gathered
 * alerts are sent at once.
 */
export async function digestWorkflow({
  accountId,
  waiting,
  gatherUntilMs = Date.now() + GATHER_MS,
}: DigestState): Promise<void> {
  const { cancelRequested } = CancellationScope.current();
  const digest: Digest = {
    accountId,
    gathered: [...waiting],
    gatherUntilMs,
    keeping: 0,
    isCancelled: false,
    isBounded: false,
  };
  const known = new Set(waiting.map(({ alert }) => alert.id));
  setHandler(defineSignal<[FoldedAlert | readonly FoldedAlert[]]>(FOLD_SIGNAL), (given) => {
    for (const folded of [given].flat()) {
      // After a crash, a sender sends its alert again. The alert may then already be in this digest or in an earlier
      // one.
      if (!known.has(folded.alert.id)) digest.gathered.push(folded);
      known.add(folded.alert.id);
    }
  });
  digest.isBounded = patched('bounded-digest');
  cancelRequested.catch(() => {
    digest.isCancelled = true;
  });
  await CancellationScope.nonCancellable(() => sendGathered(digest));
  // Awaiting `cancelRequested` throws the cancellation, so Temporal shows the workflow as cancelled.
  if (digest.isCancelled) await cancelRequested;
}

interface Digest {
  readonly accountId: string;
  readonly gathered: FoldedAlert[];
  gatherUntilMs: number;
  /** Number of sent digests whose records are still being stored. */
  keeping: number;
  isCancelled: boolean;
  /** False in histories of earlier releases. Such a digest never continues as new. */
  isBounded: boolean;
}

async function sendGathered(digest: Digest): Promise<void> {
  const { accountId, gathered } = digest;
  do {
    await gather(digest);
    const folded = await withoutReported(digest, gathered.splice(0));
    await sendDigests(accountId, await withoutQuiet(accountId, folded));
    digest.keeping += 1;
    void keepAll(folded).finally(() => {
      digest.keeping -= 1;
    });
    // A new alert ends the wait, because the next digest can be sent before these records are stored.
    await condition(() => digest.keeping === 0 || gathered.length > 0);
    digest.gatherUntilMs = Date.now() + GATHER_MS;
  } while (gathered.length > 0);
}

/**
 * Collects alerts until the time is over. Once the history is large and no records wait for the database, stops early.
 * The alerts then move to a new history. If they are too large for that, they are sent at once.
 */
async function gather(digest: Digest): Promise<void> {
  const { accountId, gathered, gatherUntilMs } = digest;
  const isFull = (): boolean => digest.isBounded && digest.keeping === 0 && isHistoryLarge();
  const waitMs = Math.max(1, gatherUntilMs - Date.now());
  await condition(() => digest.isCancelled || isFull(), waitMs, { summary: 'gathers alerts' });
  if (digest.isCancelled || !isFull() || JSON.stringify(gathered).length > CARRIED_MAX) return;
  await startOver<typeof digestWorkflow>({ v: 1, accountId, waiting: gathered, gatherUntilMs });
}

/**
 * Removes alerts that an earlier digest contained. An alert is sent twice if its sender crashed, and the second copy
 * may arrive after that digest has ended.
 */
async function withoutReported(
  { accountId, isBounded }: Digest,
  folded: readonly FoldedAlert[],
): Promise<readonly FoldedAlert[]> {
  const repeated = folded.filter(({ isRepeated }) => isRepeated === true);
  if (!isBounded || repeated.length === 0) return folded;
  const deliveries = repeated.flatMap(({ alert: { id, atMs }, targets }) =>
    listDirectTargets(targets).map(({ key }) => ({ alert: { id, atMs }, target: { key } })),
  );
  const reported = new Set(await findReported({ accountId, deliveries }));
  return folded.filter(({ alert }) => !reported.has(alert.id));
}

/** Leaves out reminders of incidents that people have acknowledged by now, or that have ended. */
async function withoutQuiet(
  accountId: string,
  folded: readonly FoldedAlert[],
): Promise<readonly FoldedAlert[]> {
  const quiet = new Set<FoldedAlert>();
  for (const until of ESCALATION_ENDS) {
    const reminders = folded.filter(({ alert }) => isReminder(alert) && readUntil(alert) === until);
    const incidentIds = reminders.flatMap(({ alert: { incidentId } }) => incidentId ?? []);
    if (incidentIds.length === 0) continue;
    const found = await findQuietIncidents({ accountId, incidentIds, until });
    for (const one of reminders) if (found.includes(one.alert.incidentId ?? '')) quiet.add(one);
  }
  return folded.filter((one) => !quiet.has(one));
}

function isReminder({ kind }: AlertMessage): boolean {
  return kind === 'reminder';
}

function readUntil({ escalation }: AlertMessage): EscalationEnd {
  return escalation?.until ?? 'acknowledged';
}

/**
 * Stores the records of all alerts. Until then the records are `pending`, and the alerts are resumed if this workflow
 * is lost.
 */
async function keepAll(folded: readonly FoldedAlert[]): Promise<void> {
  for (let from = 0; from < folded.length; from += KEPT_AT_ONCE)
    await keepFolded(folded.slice(from, from + KEPT_AT_ONCE).map(withoutContent));
}

/** Keeps only the fields that the record needs, to save space in the history. */
function withoutContent({ alert, targets, ...folded }: FoldedAlert): FoldedAlert {
  return {
    ...folded,
    alert: { ...alert, assertion: null, regions: [], ends: [] },
    targets: listDirectTargets(targets).map(({ template: _template, ...target }) => ({
      ...target,
      sealed: '',
    })),
  };
}

async function sendDigests(accountId: string, folded: readonly FoldedAlert[]): Promise<void> {
  const targets = new Map<string, AlertTarget>();
  const all = folded.flatMap((entry) => entry.targets);
  for (const target of listDirectTargets(all)) targets.set(target.key, target);
  for (const [key, target] of targets) {
    const own = folded.filter((entry) =>
      listDirectTargets(entry.targets).some((place) => place.key === key),
    );
    for (let from = 0; from < own.length; from += ENTRIES_MAX) {
      const part = own.slice(from, from + ENTRIES_MAX);
      const alerts = part.map((entry) => entry.alert);
      await startDigest(buildDigest(accountId, alerts), [
        target,
        ...listFallbackChain(target, all),
      ]);
    }
  }
}

async function startDigest(alert: AlertMessage, targets: readonly AlertTarget[]): Promise<void> {
  const input: AlertInput = { v: 1, alert, recipients: { channels: [], targets } };
  await startChild(WORKFLOW_TYPES.alert, {
    workflowId: alertWorkflowId(alert.id),
    args: [input],
    parentClosePolicy: 'ABANDON',
    staticSummary: `digest of ${alert.entries.length}`,
  });
}

function buildDigest(accountId: string, alerts: readonly AlertMessage[]): AlertMessage {
  const atMs = Math.max(...alerts.map((alert) => alert.atMs));
  const [first] = alerts;
  return {
    id: uuid4(),
    kind: 'digest',
    accountId,
    incidentId: null,
    resourceType: first?.resourceType ?? 'monitor',
    resourceId: first?.resourceId ?? '',
    resourceName: `${alerts.length} alerts`,
    atMs,
    sinceMs: Math.min(...alerts.map((alert) => alert.sinceMs)),
    openedAtMs: null,
    health: 'down',
    ends: [],
    cause: null,
    regions: [],
    certificate: null,
    assertion: null,
    entries: alerts.map(buildEntry),
    ...(first !== undefined && alerts.length === 1 && { only: first }),
  };
}

function buildEntry(alert: AlertMessage, index: number): DigestEntry {
  const { kind, resourceType, resourceId, resourceName, incidentId, sinceMs, certificate } = alert;
  const reason = index < REASONS_MAX ? entryReason(alert) : '';
  return {
    kind,
    resourceType,
    resourceId,
    resourceName,
    incidentId,
    atMs: certificate?.expiresAtMs ?? sinceMs,
    ...(reason !== '' && { reason }),
    ...(certificate?.domain !== undefined && { domain: certificate.domain }),
  };
}

/** Returns the cause of a problem, or the host of a certificate. Empty if it is unknown, and for recoveries. */
function entryReason(alert: AlertMessage): string {
  const { kind, certificate } = alert;
  if (certificate !== null) return certificate.domain ?? certificate.host ?? '';
  return kind === 'recovery' ? '' : cutText(writeReason(alert), REASON_MAX);
}
