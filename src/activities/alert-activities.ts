/** The activities of alerts. If the database is unavailable, alerts are still sent. */
import type {
  AlertActivities,
  AlertInput,
  AlertMessage,
  AlertPreparation,
  AlertTarget,
  DeliveryOutcome,
  FoldedAlert,
} from '../contracts/alerts';
import type { AlertAdmission } from '../contracts/digests';
import { isWithinBurst, toBurstMinute } from '../domain/alerting/burst-rule';
import { listDirectTargets } from '../domain/alerting/fallback-targets';
import { readIncidentState } from '../domain/alerting/same-incident';
import type { AlertBurstStore } from '../models/alerting/alert-bursts';
import type { AlertChannelStore } from '../models/alerting/alert-channels';
import type { AlertStore } from '../models/alerting/alerts';
import type { IncidentStore } from '../models/alerting/incidents';
import type { WholeIncidentStore } from '../models/alerting/whole-incidents';
import type { DependencyStore } from '../models/resources/dependencies';
import type { Send } from '../notify/sender';
import { createAdmission } from '../platform/admission/admission';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import type { TextSealer } from '../platform/sealing';
import { openDestination } from '../services/alerting/alert-destinations';
import { fillAddress, type ReadSecrets } from '../services/alerting/fill-address';
import { buildDeliveryId } from '../services/events/delivery-id';
import { type AdmissionNeeds, createAlertAdmission } from './alerting/admit-or-fold';
import {
  buildFoldedRow,
  buildFoldingRows,
  buildPendingRows,
  buildRow,
} from './alerting/alert-rows';
import { withEpisodeNumber } from './alerting/episode-number';
import { findTargets } from './alerting/find-targets';
import { withPeople } from './alerting/people-facts';
import { chooseTemplate, isTooOftenLost, TOO_OFTEN_LOST } from './choose-template';
import { type NameNeeds, readDeliveryNames } from './delivery-names';
import { withExplainedOthers } from './explained-others';
import { findHoldReason, MOOT_DETAIL } from './find-hold-reason';
import { createReadLastPassing, type LastPassingNeeds } from './last-passing';
import { withProviderFacts } from './provider-facts';
import { recordNewRecipient } from './record-new-recipient';

export interface AlertDependencies {
  readonly accounts: NameNeeds['accounts'];
  readonly resources: NameNeeds['resources'];
  readonly channels: AlertChannelStore;
  readonly alerts: AlertStore;
  readonly bursts: AlertBurstStore;
  readonly incidents: Pick<IncidentStore, 'explainedBy'>;
  readonly wholeIncidents: Pick<WholeIncidentStore, 'findLast'>;
  readonly dependencies: DependencyStore;
  readonly results: LastPassingNeeds['results'];
  readonly evidence: LastPassingNeeds['evidence'];
  readonly sealer: TextSealer;
  readonly send: Send;
  /** Reads the secrets that the channels of the account refer to. */
  readonly readSecrets: ReadSecrets;
  /** Adds the alert to the digest of its account, and starts a digest if none is running. */
  readonly fold: (folded: FoldedAlert) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * At most 100 deliveries run at once, because the alert worker runs at most 100 activities. At most 25 of them are for
 * one account, so slow receivers of one account cannot block other accounts.
 */
const SENDING = { atOnce: 100, shareOfFree: 1 / 3, waitingMax: 0, waitMaxMs: 0 };
const TOO_MANY_AT_ONCE: DeliveryOutcome = {
  kind: 'later',
  detail: 'Too many alerts of this account are being sent at the same time.',
  afterMs: 5_000,
};

export function createAlertActivities(
  needs: AlertDependencies,
): AlertActivities & AlertPreparation {
  return {
    async findRecipients(input) {
      const targets = await findTargets(needs, input);
      if (input.alert.kind !== 'test') void notePending(needs, input, targets);
      return targets;
    },
    async admitAlert(alert) {
      try {
        return await countAlert(needs.bursts, alert);
      } catch (error) {
        needs.logger.warn({ err: error }, 'alerts that cannot be counted are sent one by one');
        return true;
      }
    },
    deliverAlert: createDeliver(needs),
    saveDelivery: (record) => needs.alerts.save(record.alert.accountId, buildRow(record)),
    async foldIntoDigest(folded) {
      if (!(await isInDigest(needs, folded))) await needs.fold({ ...folded, isRepeated: true });
    },
    findReported: (query) => findReported(needs, query),
    async keepFolded(folded) {
      const nowMs = needs.clock.now();
      const rows = folded.flatMap((entry) =>
        listDirectTargets(entry.targets).map((target) => buildFoldedRow(entry, target, nowMs)),
      );
      await Promise.all(rows.map((row) => needs.alerts.save(row.accountId, row)));
    },
    async findQuietIncidents({ accountId, incidentIds, until }) {
      const quiet: string[] = [];
      for (const id of incidentIds)
        if (await isQuiet(needs, { accountId, until }, id)) quiet.push(id);
      return quiet;
    },
  };
}

/** Makes one delivery attempt, or postpones it if too many alerts of the account are being sent. */
function createDeliver(needs: AlertDependencies): AlertActivities['deliverAlert'] {
  const admit = createAdmission(SENDING, () => performance.now());
  const readLastPassing = createReadLastPassing(needs);
  return async (delivery) => {
    const { alert, target } = delivery;
    if (isTooOftenLost(delivery)) return TOO_OFTEN_LOST;
    if (await isMoot(needs, alert)) return { kind: 'moot', detail: MOOT_DETAIL };
    const held = await findHoldReason(needs, alert, target);
    if (held !== null) return held;
    const opened = openAddress(needs.sealer, alert.accountId, target);
    if (opened === null) return { kind: 'refused', detail: KEY_GONE };
    const filled = await fillAddress(needs.readSecrets, alert.accountId, opened);
    if ('fault' in filled) return { kind: 'later', detail: filled.fault, afterMs: null };
    const [template, names, explained, lastPassing] = await Promise.all([
      chooseTemplate(needs, delivery),
      readDeliveryNames(needs, alert, target),
      withExplainedOthers(needs, alert),
      readLastPassing(alert),
    ]);
    const counted = await withEpisodeNumber(needs, await withProviderFacts(needs, explained));
    const current = await withPeople(needs, counted, target);
    const shown = lastPassing === null ? current : { ...current, lastPassing };
    const message = { alert: shown, template, ...filled, ...names };
    const leave = await admit(alert.accountId);
    if (leave === null) return TOO_MANY_AT_ONCE;
    const sent = await needs
      .send({ id: buildDeliveryId(alert, target), ...message })
      .finally(leave);
    return recordNewRecipient(needs, sent, {
      accountId: alert.accountId,
      target,
      before: opened.config,
    });
  };
}

type AdmissionDependencies = Omit<
  AlertDependencies,
  'accounts' | 'resources' | 'send' | 'readSecrets' | 'sealer' | 'results' | 'evidence'
> &
  Pick<AdmissionNeeds, 'findPolicy' | 'isEscalating'>;

export function createAdmissionActivities(needs: AdmissionDependencies): AlertAdmission {
  const { alerts, bursts, findPolicy, isEscalating, fold, logger } = needs;
  return createAlertAdmission({
    findPolicy,
    isEscalating,
    findTargets: (input) => findTargets(needs, input),
    readFolding: (alert, targets) =>
      alerts.readFolding(
        alert.accountId,
        listDirectTargets(targets).map((target) => buildDeliveryId(alert, target)),
      ),
    isIncidentFolding: (accountId, incidentId) => alerts.isIncidentFolding(accountId, incidentId),
    count: (alert) => countAlert(bursts, alert),
    noteFolding: async (folded) => {
      const rows = buildFoldingRows(folded);
      await Promise.all(rows.map((row) => alerts.save(row.accountId, row)));
    },
    fold,
    logger,
  });
}

async function countAlert(
  bursts: AlertBurstStore,
  { accountId, kind, atMs }: AlertMessage,
): Promise<boolean> {
  return isWithinBurst(await bursts.count(accountId, kind, toBurstMinute(atMs)), atMs);
}

const KEY_GONE = 'The configuration of the channel was encrypted with a key that no longer exists.';

function openAddress(sealer: TextSealer, accountId: string, { sealed }: AlertTarget) {
  try {
    return openDestination(sealer, accountId, sealed);
  } catch {
    return null;
  }
}

/**
 * Stores the pending deliveries, so that they survive a loss of Temporal. If storing fails, the alert is sent anyway.
 */
async function notePending(
  { alerts, logger }: AlertDependencies,
  input: AlertInput,
  targets: readonly AlertTarget[],
): Promise<void> {
  const rows = buildPendingRows(input, targets);
  try {
    await Promise.all(rows.map((row) => alerts.save(row.accountId, row)));
  } catch (error) {
    logger.warn({ err: error }, 'an alert is sent before the database has it');
  }
}

/**
 * True if the alert is a reminder or a later escalation step and no longer needed: its incident is acknowledged,
 * snoozed or over.
 */
async function isMoot(needs: AlertDependencies, alert: AlertMessage): Promise<boolean> {
  const { accountId, incidentId, kind, escalation } = alert;
  const isFurther = kind === 'reminder' || (escalation?.step ?? 1) > 1;
  if (!isFurther || kind === 'recovery' || incidentId === null) return false;
  return isQuiet(needs, { accountId, until: escalation?.until }, incidentId);
}

interface Asked {
  readonly accountId: string;
  readonly until: NonNullable<AlertMessage['escalation']>['until'];
}

/**
 * True if the incident is over, snoozed or acknowledged by now. An acknowledgement does not count if the escalation
 * runs until recovery. False if the incident cannot be read.
 */
async function isQuiet(
  { wholeIncidents, clock, logger }: AlertDependencies,
  { accountId, until }: Asked,
  incidentId: string,
): Promise<boolean> {
  try {
    const last = await wholeIncidents.findLast(accountId, incidentId);
    if (last === null) return false;
    const isOver = readIncidentState(last, clock.now()) === 'over';
    const isAcknowledged = last.acknowledgedAtMs !== null && until !== 'recovered';
    return isAcknowledged || isOver || (last.snoozedUntilMs ?? 0) > clock.now();
  } catch (error) {
    logger.warn({ err: error }, 'a reminder is sent without checking its incident');
    return false;
  }
}

async function findReported(
  { alerts, logger }: AlertDependencies,
  { accountId, deliveries }: Parameters<AlertActivities['findReported']>[0],
): Promise<readonly string[]> {
  const alertIds = new Map(
    deliveries.map(({ alert, target }) => [buildDeliveryId(alert, target), alert.id]),
  );
  try {
    const found = await alerts.findSuppressed(accountId, [...alertIds.keys()]);
    return found.flatMap((id) => alertIds.get(id) ?? []);
  } catch (error) {
    logger.warn({ err: error }, 'a digest is sent without checking earlier digests');
    return [];
  }
}

/**
 * True if the delivery records show that a digest already contains the alert. A sender that crashed may add an alert
 * twice. False if the records cannot be read, so that the alert is sent anyway.
 */
async function isInDigest(
  { alerts, logger }: AlertDependencies,
  { alert, targets }: FoldedAlert,
): Promise<boolean> {
  const [first] = targets;
  if (first === undefined) return false;
  try {
    const found = await alerts.findSuppressed(alert.accountId, [buildDeliveryId(alert, first)]);
    return found.length > 0;
  } catch (error) {
    logger.warn({ err: error }, 'an alert is added to a digest without checking earlier digests');
    return false;
  }
}
