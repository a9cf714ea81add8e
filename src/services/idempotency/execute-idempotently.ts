/** Executes a request once per idempotency key (docs/api.md). Stores the text of the response without parsing it. */
import { createHash } from 'node:crypto';
import type { IdempotencyRecord } from '../../models/operations/idempotency';
import { toCanonicalJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import { compensateLater } from '../lists/run-or-compensate';
import type { Dependencies } from '../ports/dependencies';

const KEPT_MS = 24 * 3_600_000;
/** A claim counts as abandoned this long after its deadline. */
const ABANDONED_AFTER_MS = 60_000;
const ASK_EVERY_MS = 50;
const OWNER_BYTES = 16;
const RETRY_AFTER_SECONDS = 1;

export interface KeyedRequest {
  readonly accountId: string;
  /** The API key or person that sends the request. Only the same key or person gets the stored response. */
  readonly actorId: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body: unknown;
  /** The maximum duration of the request. */
  readonly deadlineMs: number;
  /** How long to wait for a parallel request with the same key. */
  readonly waitMs: number;
}

export interface KeptText {
  readonly text: string;
  readonly isReplayed: boolean;
}

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'randomBytes' | 'sleep'>;

/** Returns the id of the claim. The stored response can be decrypted only with this id. */
export function hashClaim({ accountId, actorId, method, path, key }: KeyedRequest): string {
  return hashValue([accountId, actorId, method, path, key]);
}

/**
 * Does the work, or returns the stored response of the first request. Only one of several parallel callers does the
 * work. Throws `idempotency_conflict` for a different body, and `unavailable` while the first outcome is unknown.
 * Errors are not stored, so the next caller does the work again. If a process crashes, its claim expires.
 */
export async function executeIdempotently(
  needs: Needs,
  request: KeyedRequest,
  work: () => Promise<string>,
): Promise<KeptText> {
  const { accountId, deadlineMs, waitMs } = request;
  const claim = {
    id: hashClaim(request),
    accountId,
    owner: needs.randomBytes(OWNER_BYTES).toString('base64url'),
    fingerprint: hashValue(request.body),
    kept: null,
  };
  for (let asked = 0; asked * ASK_EVERY_MS <= waitMs; asked += 1) {
    if (asked > 0) await needs.sleep(ASK_EVERY_MS);
    const expiresAtMs = needs.clock.now() + deadlineMs + ABANDONED_AFTER_MS;
    const held = await claimOnce(needs, { ...claim, expiresAtMs });
    if (held === 'claimed') return { text: await carryOut(needs, claim, work), isReplayed: false };
    if (held === 'contended') continue;
    requireSameBody(held, claim.fingerprint);
    if (held.kept !== null) return { text: held.kept, isReplayed: true };
  }
  throw new AppError(
    'unavailable',
    'The first request with this Idempotency-Key is still in progress. Try again.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/**
 * Claims the key. If the call fails, the database may still have stored the claim. The claim is then released in the
 * background, so that the next caller need not wait.
 */
async function claimOnce(
  { stores, sleep }: Needs,
  claim: IdempotencyRecord,
): ReturnType<Needs['stores']['idempotency']['claim']> {
  const { accountId } = claim;
  try {
    return await stores.idempotency.claim(accountId, claim);
  } catch (reason) {
    void compensateLater(sleep, () => stores.idempotency.release(accountId, claim));
    throw reason;
  }
}

async function carryOut(
  { stores, clock, sleep }: Needs,
  claim: Pick<IdempotencyRecord, 'id' | 'accountId' | 'owner'>,
  work: () => Promise<string>,
): Promise<string> {
  const { id, accountId, owner } = claim;
  let kept: string;
  try {
    kept = await work();
  } catch (reason) {
    const release = () => stores.idempotency.release(accountId, claim);
    // An error of the release is ignored, because the caller must get the error of the work.
    await release().catch(() => void compensateLater(sleep, release));
    throw reason;
  }
  const expiresAtMs = clock.now() + KEPT_MS;
  await stores.idempotency.keep(accountId, { id, owner, kept, expiresAtMs });
  return kept;
}

function requireSameBody(held: IdempotencyRecord, fingerprint: string): void {
  if (held.fingerprint === fingerprint) return;
  throw new AppError(
    'idempotency_conflict',
    'This Idempotency-Key was used with another body. Use a new key for a new request.',
  );
}

function hashValue(value: unknown): string {
  return createHash('sha256')
    .update(toCanonicalJson(value ?? null))
    .digest('base64url');
}
