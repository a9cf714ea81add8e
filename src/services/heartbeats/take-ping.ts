/**
 * A ping of a job: found by its token, stored with one insert, and then its workflow is told. It counts
 * from the insert on, whether the workflow engine is there or not.
 */
import { RE2JS } from 're2js';
import type { FailOnRule, PingKind } from '../../contracts/heartbeat';
import { secretContext } from '../../contracts/seal-contexts';
import { createRedactor } from '../../domain/secrets/redact';
import type { Monitor } from '../../models/resources/monitors';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';
import { openStored } from '../secrets/secret-variables';
import { hashOfPing } from './ping-address';

/** So much of a text is kept: its end, where the reason for a failure stands. */
export const PING_TEXT_MAX = 10 * 1_024;

export interface SentPing {
  readonly token: string;
  readonly kind: PingKind;
  readonly exitCode: number | null;
  /** As the job names its run; empty when it names none. */
  readonly runId: string;
  /** null without a text. */
  readonly text: string | null;
}

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'newId' | 'sealers'>;

/** The monitor whose workflow is to be told. Throws `not_found` or `engine_unavailable`. */
export async function takePing(needs: Needs, sent: SentPing): Promise<string> {
  const { stores, clock, newId } = needs;
  const atMs = clock.now();
  const monitor = await stores.monitors.findByPing(hashOfPing(sent.token), atMs);
  if (monitor === null || monitor.heartbeat === null || monitor.state === 'deleting')
    throw new AppError('not_found', 'There is no heartbeat with this token.');
  const { kind, exitCode, runId } = sent;
  const text = await keptText(needs, monitor, sent.text);
  const failedOn = kind === 'success' ? failureIn(text, monitor.heartbeat.plan.failOn) : null;
  const { accountId, id: monitorId } = monitor;
  const ping = { accountId, monitorId, atMs, kind, exitCode, runId, failedOn, text };
  await stores.pings.insert(accountId, { ...ping, id: newId('ping') });
  return monitorId;
}

/** Secrets are taken out before the text is cut, since half of one would not be found. */
async function keptText(
  needs: Needs,
  { accountId }: Monitor,
  text: string | null,
): Promise<string | null> {
  if (text === null || text === '') return null;
  const values = await readSecretValues(needs, accountId);
  return createRedactor(values)(text).slice(-PING_TEXT_MAX);
}

const SECRETS_PER_PAGE = 500;

async function readSecretValues(
  { stores, sealers }: Needs,
  accountId: string,
): Promise<readonly string[]> {
  const values: string[] = [];
  for (let afterName: string | null = null; ; ) {
    const page = { limit: SECRETS_PER_PAGE, afterName };
    const { rows, hasMore } = await stores.secrets.list(accountId, page);
    for (const { name, version, sealed } of rows)
      values.push(openStored(sealers.stored, sealed, secretContext(accountId, name, version)));
    if (!hasMore) return values;
    afterName = rows.at(-1)?.name ?? null;
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
