/**
 * Receives a ping. Finds its heartbeat by the token and stores the ping. A stored ping counts even if Temporal is
 * unavailable. A ping that is repeated with the same idempotency key counts once.
 */

import { createHash } from 'node:crypto';
import type { FailOnRule, PingKind } from '../../contracts/heartbeat';
import { buildId } from '../../domain/definitions/ids';
import { takeEnd } from '../../domain/text/cut-text';
import type { PingTarget } from '../../models/resources/ping-lookup';
import { AppError } from '../../platform/errors';
import { isBusy, type RunTextJob } from '../../text/text-task';
import { hashToken } from '../accounts/api-key-format';
import { listUnprovenCounters, takeTries } from '../accounts/login-throttle';
import type { Dependencies } from '../ports/dependencies';
import type { ReadSecretValues } from '../secrets/secret-values';

/**
 * The maximum length of a stored text. Of a longer text, only the end is stored, because the end usually contains the
 * reason for a failure.
 */
export const PING_TEXT_MAX = 10 * 1_024;

/** The part of a ping that is known before its text is received. */
export interface PingHead {
  readonly token: string;
  readonly kind: PingKind;
  readonly exitCode: number | null;
  /** The name that the job gives to its run. Empty if the job gives no name. */
  readonly runId: string;
  /** A key by which a repeated ping is recognised. null if the ping has no key. */
  readonly onceKey: string | null;
}

export interface SentPing extends Omit<PingHead, 'token'> {
  /** The text. null if the ping has no text. */
  readonly text: string | null;
}

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'newId' | 'runTextJob'> & {
  readonly readSecretValues: ReadSecretValues;
};

/** The heartbeat that belongs to a token. */
export interface PingedJob extends PingTarget {
  /** When the ping arrived. Its text was received after this time. */
  readonly atMs: number;
}

export interface TakenPing {
  readonly monitorId: string;
  readonly isFailure: boolean;
}

/**
 * Finds the heartbeat. Throws `not_found`, `rate_limited` after many unknown tokens from one network, or `unavailable`.
 */
export async function findPingedJob(
  needs: Pick<Dependencies, 'stores' | 'clock'>,
  { token, address }: { readonly token: string; readonly address: string },
): Promise<PingedJob> {
  const atMs = needs.clock.now();
  const target = await needs.stores.monitors.findByPing(hashToken(token), atMs);
  if (target !== null) return { ...target, atMs };
  await takeTries(needs, listUnprovenCounters('ping', address));
  throw new AppError('not_found', 'There is no heartbeat with this token.');
}

/** Stores the ping. Resolves when it is stored. Throws `unavailable`. */
export async function takePing(needs: Needs, job: PingedJob, sent: SentPing): Promise<TakenPing> {
  const { accountId, monitorId, atMs, failOn } = job;
  const { kind, exitCode, runId } = sent;
  const runTextJob: RunTextJob = (work) => needs.runTextJob({ ...work, owner: accountId });
  const text = await keptText({ ...needs, runTextJob }, accountId, sent.text);
  // A text that cannot be stored is still checked against the rules. Only the matching rule is then stored.
  const judged = text ?? (sent.text === null ? null : takeEnd(sent.text, PING_TEXT_MAX));
  const failedOn = kind === 'success' ? await findFailure(runTextJob, judged, failOn) : null;
  const ping = { accountId, monitorId, atMs, kind, exitCode, runId, failedOn, text };
  const id = onceId(monitorId, sent) ?? needs.newId('ping');
  await needs.stores.pings.insert(accountId, { ...ping, id });
  return { monitorId, isFailure: kind === 'fail' || failedOn !== null };
}

/** Number of bytes that follow the time in an id. */
const ID_BYTES = 10;

/**
 * Returns the id for a ping with a key. A repeated ping gets the same id, so it is stored only once. A start sorts
 * before other pings of the same millisecond. Returns null for a ping without a key.
 */
function onceId(
  monitorId: string,
  { onceKey, kind, exitCode, runId }: Pick<SentPing, 'onceKey' | 'kind' | 'exitCode' | 'runId'>,
): string | null {
  if (onceKey === null) return null;
  const said = JSON.stringify([monitorId, onceKey, kind, exitCode, runId]);
  const digest = createHash('sha256').update(said).digest().subarray(0, ID_BYTES);
  return buildId('ping', kind === 'start' ? 0 : 1, digest);
}

/**
 * Returns the text to store. Secrets are redacted before the text is cut, because half a secret would not be
 * recognised. Returns null if the ping has no text, or if the text cannot be searched for secrets.
 */
async function keptText(
  { readSecretValues, runTextJob }: Pick<Needs, 'readSecretValues' | 'runTextJob'>,
  accountId: string,
  text: string | null,
): Promise<string | null> {
  if (text === null || text === '') return null;
  const secrets = await readSecretValues(accountId);
  if (secrets === null) return null;
  if (secrets.values.length === 0) return takeEnd(text, PING_TEXT_MAX);
  const [result] = await runTextJob({
    text: '',
    tasks: [{ kind: 'redaction', subject: text, isBroken: false }],
    hidden: secrets.values,
    hiddenId: secrets.id,
  });
  if (result === undefined || !('redacted' in result)) return null;
  return takeEnd(result.redacted, PING_TEXT_MAX);
}

function tooBusy(): AppError {
  const message = 'Too many ping texts are waiting. Send the ping again soon.';
  return new AppError('unavailable', message, { retryAfterSeconds: 5 });
}

/**
 * Describes the first rule that the text matches. Returns null if no rule matches. A pattern that takes too long counts
 * as a match, so that no failure is missed. Throws `unavailable` if too many texts wait, so that the job sends the ping
 * again.
 */
async function findFailure(
  runTextJob: RunTextJob,
  text: string | null,
  rules: readonly FailOnRule[],
): Promise<string | null> {
  if (text === null) return null;
  const patterns = rules.flatMap((rule) => ('matches' in rule ? [rule.matches] : []));
  const tasks = patterns.map((pattern) => ({ kind: 'pattern' as const, pattern, subject: text }));
  const results = tasks.length === 0 ? [] : await runTextJob({ text: '', tasks });
  const byPattern = new Map(patterns.map((pattern, index) => [pattern, results[index]]));
  for (const rule of rules) {
    if ('contains' in rule && text.includes(rule.contains)) return `contains "${rule.contains}"`;
    if (!('matches' in rule)) continue;
    const result = byPattern.get(rule.matches);
    if (isBusy(result)) throw tooBusy();
    if (result === undefined || !('values' in result))
      return `could not be searched for "${rule.matches}" in time`;
    if (result.count > 0) return `matches "${rule.matches}"`;
  }
  return null;
}
