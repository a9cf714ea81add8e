/**
 * A ping of a job: its heartbeat is found by the token, and it is stored. It counts
 * from the insert on, whether the workflow engine is there or not. The same ping with the same key counts once.
 */

import { createHash } from 'node:crypto';
import { RE2JS } from 're2js';
import type { FailOnRule, PingKind } from '../../contracts/heartbeat';
import { secretContext } from '../../contracts/seal-contexts';
import { idFrom } from '../../domain/definitions/ids';
import { createRedactor } from '../../domain/secrets/redact';
import { keepEnd } from '../../domain/text/cut-text';
import { AppError } from '../../platform/errors';
import { openOrNull } from '../../platform/sealing';
import { hashToken } from '../accounts/api-key-format';
import type { Dependencies } from '../ports/dependencies';

/** So much of a text is kept: its end, where the reason for a failure stands. */
export const PING_TEXT_MAX = 10 * 1_024;

export interface SentPing {
  readonly token: string;
  readonly kind: PingKind;
  readonly exitCode: number | null;
  /** As the job names its run; empty when it names none. */
  readonly runId: string;
  /** Whoever sends the same ping again says so by the same key; null without one. */
  readonly onceKey: string | null;
  /** null without a text. */
  readonly text: string | null;
}

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'newId' | 'sealers'>;

export interface TakenPing {
  readonly monitorId: string;
  readonly isFailure: boolean;
}

/** It is stored when this resolves. Throws `not_found` or `unavailable`. */
export async function takePing(needs: Needs, sent: SentPing): Promise<TakenPing> {
  const { stores, clock, newId } = needs;
  const atMs = clock.now();
  const target = await stores.monitors.findByPing(hashToken(sent.token), atMs);
  if (target === null) throw new AppError('not_found', 'There is no heartbeat with this token.');
  const { accountId, monitorId } = target;
  const { kind, exitCode, runId } = sent;
  const text = await keptText(needs, accountId, sent.text);
  // A text that can't be kept is judged all the same: what is stored of that is the rule alone.
  const judged = text ?? (sent.text == null ? null : keepEnd(sent.text, PING_TEXT_MAX));
  const failedOn = kind === 'success' ? failureIn(judged, target.failOn) : null;
  const ping = { accountId, monitorId, atMs, kind, exitCode, runId, failedOn, text };
  await stores.pings.insert(accountId, { ...ping, id: onceId(monitorId, sent) ?? newId('ping') });
  return { monitorId, isFailure: kind === 'fail' || failedOn !== null };
}

/** Bytes of an id beside its time. */
const ID_BYTES = 10;

/**
 * The same for the same ping, so that the second one is stored nowhere. Such ids say nothing of time; a
 * start sorts before what else arrives in the same millisecond. null without a key.
 */
function onceId(
  monitorId: string,
  { onceKey, kind, exitCode, runId }: Pick<SentPing, 'onceKey' | 'kind' | 'exitCode' | 'runId'>,
): string | null {
  if (onceKey === null) return null;
  const said = JSON.stringify([monitorId, onceKey, kind, exitCode, runId]);
  const digest = createHash('sha256').update(said).digest().subarray(0, ID_BYTES);
  return idFrom('ping', kind === 'start' ? 0 : 1, digest);
}

/**
 * Secrets are taken out before the text is cut, since half of one would not be found. null without a
 * text, and where a secret can't be opened: the ping counts without a text that may hold it.
 */
async function keptText(
  needs: Needs,
  accountId: string,
  text: string | null,
): Promise<string | null> {
  if (text === null || text === '') return null;
  const values = await readSecretValues(needs, accountId);
  return values === null ? null : keepEnd(createRedactor(values)(text), PING_TEXT_MAX);
}

const SECRETS_PER_PAGE = 500;

/** null: sealed with a key that is gone. */
async function readSecretValues(
  { stores, sealers }: Needs,
  accountId: string,
): Promise<readonly string[] | null> {
  const values: string[] = [];
  for (let afterName: string | null = null; ; ) {
    const page = { limit: SECRETS_PER_PAGE, afterName };
    const { items, hasMore } = await stores.secrets.list(accountId, page);
    for (const { name, version, sealed } of items) {
      const value = openOrNull(sealers.stored, sealed, secretContext(accountId, name, version));
      if (value === null) return null;
      values.push(value);
    }
    if (!hasMore) return values;
    afterName = items.at(-1)?.name ?? null;
  }
}

/** Which rule the text meets, in words; null: none. */
function failureIn(text: string | null, rules: readonly FailOnRule[]): string | null {
  if (text === null) return null;
  for (const rule of rules) {
    if ('contains' in rule && text.includes(rule.contains)) return `contains "${rule.contains}"`;
    if ('matches' in rule && RE2JS.compile(rule.matches).matcher(text).find())
      return `matches "${rule.matches}"`;
  }
  return null;
}
