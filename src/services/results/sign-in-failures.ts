/** Finds recorded checks and runs that could not sign in at an identity provider. Pure. */
import { createHash } from 'node:crypto';
import type { SignInFailure } from '../../contracts/alerting/identity-providers';
import type { StepOutcome } from '../../contracts/outcome';
import { isFinished, type MonitorCheckRecord, type RunRecord } from '../../contracts/records';
import { buildId } from '../../domain/definitions/ids';

/**
 * Returns the id of a problem of an identity provider. An outage and refused credentials are two problems with two ids.
 */
export function buildIdentityProviderId({
  accountId,
  tokenUrl,
  problem,
}: Pick<SignInFailure, 'accountId' | 'tokenUrl' | 'problem'>): string {
  const text = JSON.stringify([accountId, tokenUrl, problem]);
  return buildId('identityProvider', 0, createHash('sha256').update(text).digest().subarray(0, 10));
}

/** Lists the failed sign-ins of one check, at most one per region. */
export function listCheckFailures({
  accountId,
  monitorId: resourceId,
  revision,
  slotMs,
  outcomes,
}: MonitorCheckRecord): readonly SignInFailure[] {
  const of = { accountId, resourceType: 'monitor', resourceId, revision, slotMs } as const;
  return outcomes.flatMap(({ region, outcome }) => buildFailure({ ...of, region }, outcome));
}

/**
 * Returns the failure of the first step that could not sign in. Leaves out runs that do not count in uptime, because no
 * slot is recorded for them.
 */
export function listRunFailures(run: RunRecord): readonly SignInFailure[] {
  const { accountId, scenarioId: resourceId, revision, region, slotMs } = run;
  if (!isFinished(run.status) || !run.countedInUptime) return [];
  const of = { accountId, resourceType: 'scenario', resourceId, revision, region, slotMs } as const;
  const failures = run.steps.flatMap(({ outcome }) =>
    outcome === null ? [] : buildFailure(of, outcome),
  );
  return failures.slice(0, 1);
}

type Source = Omit<
  SignInFailure,
  'tokenUrl' | 'problem' | 'reason' | 'message' | 'firstSlotMs' | 'lastSlotMs'
> & { readonly slotMs: number };

/** Builds a failure. Ignores a text that is not a token URL, because a compromised probe may send any text. */
function buildFailure(
  { slotMs, ...source }: Source,
  { status, failure, signInFault }: StepOutcome,
): readonly SignInFailure[] {
  if (signInFault === undefined || status !== 'unknown' || failure?.code !== 'auth_failed')
    return [];
  if (!isTokenUrl(signInFault.tokenUrl)) return [];
  const at = { firstSlotMs: slotMs, lastSlotMs: slotMs };
  return [{ ...source, ...signInFault, message: failure.message, ...at }];
}

/** True for an http or https URL without credentials, query and fragment. */
function isTokenUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, pathname } = new URL(text);
  return /^https?:$/.test(protocol) && text === origin + pathname;
}
