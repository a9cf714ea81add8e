/**
 * Maintains one incident per identity provider and account. Every decision is stored before it is carried out. After a
 * crash, the next pass carries out the stored decision, so that no alert is lost or sent twice.
 */
import type { ProviderEpisode, SignInFailure } from '../../contracts/alerting/identity-providers';
import type { EscalationContact, EscalationPlan, EscalationStep } from '../../contracts/escalation';
import { beginEscalation } from '../../domain/alerting/escalation-course';
import { withFurtherSteps } from '../../domain/alerting/further-steps';
import {
  judgeFailure,
  NO_PROVIDER_STATE,
  nextProvider,
} from '../../domain/alerting/identity-provider';
import type { IdKind } from '../../domain/definitions/ids';
import type { ProviderRecord, ProviderRef } from '../../models/alerting/identity-providers';
import type { Clock } from '../../platform/clock';
import { interleave } from '../../platform/paced';
import type { ReconcileGateway } from '../operations/reconcile-gateway';
import { buildIdentityProviderId } from '../results/sign-in-failures';
import { buildProviderAlert, buildProviderIncident } from './provider-incident';
import {
  listPlanned,
  nameContact,
  pickPlanned,
  type RecipientNeeds,
  readProviderPlan,
} from './provider-recipients';
import { type ProviderCheck, readProviderChecks } from './read-provider-checks';

export interface ProviderNeeds extends RecipientNeeds {
  readonly temporal: Pick<ReconcileGateway, 'extendEscalation' | 'endEscalation'>;
  readonly newId: (kind: IdKind) => string;
  readonly notifyOperator: (facts: Readonly<Record<string, string>>, sentence: string) => void;
  readonly clock: Clock;
}

/**
 * Updates the incidents. Returns how many incidents began or ended. If the update for one provider fails, the others
 * continue, and the first error is thrown at the end.
 */
export async function updateProviders(needs: ProviderNeeds, signal: AbortSignal): Promise<number> {
  const errors: unknown[] = [];
  let changes = 0;
  const active = await needs.stores.identityProviders.listActive();
  for (const provider of interleave(active, ({ accountId }) => accountId)) {
    signal.throwIfAborted();
    try {
      if (await tendProvider(needs, provider)) changes += 1;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return changes;
}

/** Updates the incident of one provider. Returns true if the incident began or ended. */
async function tendProvider(needs: ProviderNeeds, provider: ProviderRef): Promise<boolean> {
  const { identityProviders } = needs.stores;
  const { accountId, id } = provider;
  const [before, failures] = await Promise.all([
    identityProviders.find(accountId, id),
    identityProviders.listFailures(accountId, id),
  ]);
  if (before !== null && before.carriedOut !== before.sequence) {
    // The previous pass crashed after it had stored its decision, so this pass carries out that decision.
    await carryOut(needs, before, await readPlan(needs, before, failures));
    return true;
  }
  const { record, plan, dropped } = await decide(needs, provider, { before, failures });
  if (record.sequence !== (before?.sequence ?? 0)) {
    // If the save fails, another pass has made a decision at the same time.
    if (!(await identityProviders.save(accountId, record, before))) return false;
  }
  await carryOut(needs, record, plan);
  await identityProviders.forget(accountId, dropped);
  const [was, is] = [before?.episode ?? null, record.episode];
  return was?.incidentId !== is?.incidentId || was?.closedAtMs !== is?.closedAtMs;
}

interface Known {
  readonly before: ProviderRecord | null;
  readonly failures: readonly SignInFailure[];
}

interface Decision {
  readonly record: ProviderRecord;
  readonly plan: EscalationPlan;
  readonly dropped: readonly SignInFailure[];
}

const NO_PLAN: EscalationPlan = { policyName: '', steps: [], quietHours: null, lastResort: null };

async function decide(
  needs: ProviderNeeds,
  { id, accountId }: ProviderRef,
  { before, failures }: Known,
): Promise<Decision> {
  const nowMs = needs.clock.now();
  const checks = await readProviderChecks(needs.stores, { accountId, failures, nowMs });
  const refusedMs = await readRefusals(needs, accountId, failures);
  const judged = failures.map((failure) =>
    judgeFailure(failure, checks.get(failure.resourceId), refusedMs(failure)),
  );
  const { state, dropped } = nextProvider(before ?? NO_PROVIDER_STATE, judged, {
    nowMs,
    incidentId: needs.newId('incident'),
    formatName: ({ resourceId }) => checks.get(resourceId)?.resourceName ?? 'deleted',
  });
  const stored = { sequence: 0, carriedOut: 0, isDone: true, ...before, ...state };
  const record: ProviderRecord = { ...stored, id, accountId };
  const { episode } = record;
  if (episode === null) return { record, plan: NO_PLAN, dropped };
  const failing = judged.filter(
    (one) => one.verdict === 'failing' && !dropped.includes(one.failure),
  );
  const full =
    episode.closedAtMs === null
      ? await readProviderPlan(needs, accountId, listChecks(failing, checks))
      : NO_PLAN;
  const { plan, leftOut } = limitPlan(full, episode.planned);
  const planned = [...new Set([...episode.planned, ...listPlanned(plan)])];
  const isMore = planned.length > episode.planned.length;
  if (isMore && leftOut > 0) reportLeftOut(needs, { accountId, episode, leftOut });
  const next = isMore ? { ...episode, planned } : episode;
  // The time of the last failure must be stored now if failures are dropped, because the next pass does not see dropped
  // failures.
  const mustNote =
    episode.closedAtMs === null &&
    dropped.length > 0 &&
    before?.lastFailedMs !== record.lastFailedMs;
  if (next === before?.episode && !mustNote) return { record, plan, dropped };
  const sequence = record.sequence + 1;
  return { record: { ...record, episode: next, sequence, isDone: false }, plan, dropped };
}

function reportLeftOut(
  { notifyOperator }: Pick<ProviderNeeds, 'notifyOperator'>,
  {
    accountId,
    episode: { incidentId },
    leftOut,
  }: {
    readonly accountId: string;
    readonly episode: ProviderEpisode;
    readonly leftOut: number;
  },
): void {
  const facts = { accountId, incidentId, recipients: String(leftOut) };
  notifyOperator(facts, 'an incident of an identity provider has too many recipients');
}

/**
 * Returns a function that finds, for a failure, the last slot in which the provider refused the same check in the same
 * region. The function returns 0 if there is no such slot, or if the failures are not an outage of the provider.
 */
async function readRefusals(
  { stores }: Pick<ProviderNeeds, 'stores'>,
  accountId: string,
  failures: readonly SignInFailure[],
): Promise<(failure: SignInFailure) => number> {
  const [first] = failures;
  if (first?.problem !== 'unavailable') return () => 0;
  const refusing = buildIdentityProviderId({ ...first, problem: 'refused' });
  const refusals = await stores.identityProviders.listFailures(accountId, refusing);
  const nameOf = ({ resourceId, region }: SignInFailure) => `${resourceId} ${region}`;
  const lastMs = new Map(refusals.map((one) => [nameOf(one), one.lastSlotMs]));
  return (failure) => lastMs.get(nameOf(failure)) ?? 0;
}

/** Reads the plan. Recipients of earlier decisions stay in the plan, even if their checks are now in maintenance. */
async function readPlan(
  { clock, ...needs }: ProviderNeeds,
  { accountId, episode }: ProviderRecord,
  failures: readonly SignInFailure[],
): Promise<EscalationPlan> {
  if (episode === null || episode.closedAtMs !== null) return NO_PLAN;
  const asked = { accountId, failures, nowMs: clock.now() };
  const checks = await readProviderChecks(needs.stores, asked);
  const unmuted = [...checks.values()].map((check) => ({ ...check, isMuted: false }));
  return pickPlanned(await readProviderPlan(needs, accountId, unmuted), episode.planned);
}

function listChecks(
  judged: readonly { readonly failure: SignInFailure }[],
  checks: ReadonlyMap<string, ProviderCheck>,
): readonly ProviderCheck[] {
  const ids = new Set(judged.map(({ failure }) => failure.resourceId));
  return [...ids].flatMap((id) => checks.get(id) ?? []);
}

/**
 * Stores the incident and starts its alerts. Idempotent, so that a repeated call completes what a crash interrupted.
 */
async function carryOut(
  needs: ProviderNeeds,
  record: ProviderRecord,
  plan: EscalationPlan,
): Promise<void> {
  const { episode, accountId, sequence } = record;
  if (episode === null || record.carriedOut === sequence) return;
  const { identityProviders } = needs.stores;
  await identityProviders.saveIncident(accountId, buildProviderIncident(record, episode));
  if (episode.planned.length > 0) await notify(needs, record, plan);
  const isDone = episode.closedAtMs !== null;
  await identityProviders.save(accountId, { ...record, carriedOut: sequence, isDone }, record);
}

/** Notifies people. If Temporal has lost the escalation, the escalation continues from its stored state. */
async function notify(
  { stores, temporal, clock }: ProviderNeeds,
  { episode, ...provider }: ProviderRecord,
  plan: EscalationPlan,
): Promise<void> {
  if (episode === null) return;
  const { accountId } = provider;
  const { incidentId } = episode;
  const nowMs = clock.now();
  const known = await stores.escalations.find(accountId, incidentId);
  const failure = buildProviderAlert(provider, { ...episode, closedAtMs: null }, nowMs);
  const begun = beginEscalation(failure, NO_PLAN, nowMs);
  const state = known?.state ?? withFurtherSteps(begun, plan, nowMs);
  const escalation = { accountId, incidentId, state };
  if (episode.closedAtMs === null) await temporal.extendEscalation(escalation, plan);
  else await temporal.endEscalation(escalation, buildProviderAlert(provider, episode, nowMs));
}

/**
 * The maximum size of a plan. Each contact is in the state twice: in the plan, and in the list of notified contacts.
 */
const PLAN_LENGTH_MAX = 500_000;
/** Maximum number of contacts of an incident, even if new checks fail each minute. */
const CONTACTS_MAX = 2_000;

interface LimitedPlan {
  readonly plan: EscalationPlan;
  /** The number of contacts that are left out and not notified. */
  readonly leftOut: number;
}

/**
 * Limits the size of the plan. Earlier contacts come first, then contacts of checks without a policy, and then contacts
 * of policies. Contacts after the limit are left out, and so are empty steps.
 */
function limitPlan(plan: EscalationPlan, planned: readonly string[]): LimitedPlan {
  const known = new Set(planned);
  const isKnown = (step: EscalationStep, contact: EscalationContact) =>
    known.has(nameContact(step, contact));
  const kept = new Set<EscalationContact>();
  let length = 0;
  let count = known.size;
  const take = (contact: EscalationContact, isNew: boolean): void => {
    const size = JSON.stringify(contact).length;
    if (length + size > PLAN_LENGTH_MAX || (isNew && count >= CONTACTS_MAX)) return;
    length += size;
    if (isNew) count += 1;
    kept.add(contact);
  };
  for (const isNew of [false, true])
    for (const step of plan.steps) {
      const wanted = step.contacts.filter((contact) => isKnown(step, contact) !== isNew);
      for (const contact of wanted) take(contact, isNew);
    }
  const total = plan.steps.reduce((sum, { contacts }) => sum + contacts.length, 0);
  if (kept.size === total) return { plan, leftOut: 0 };
  const steps = plan.steps.flatMap((step): readonly EscalationStep[] => {
    const contacts = step.contacts.filter((contact) => kept.has(contact));
    return contacts.length === 0 && step.contacts.length > 0 ? [] : [{ ...step, contacts }];
  });
  return { plan: { ...plan, steps }, leftOut: total - kept.size };
}
