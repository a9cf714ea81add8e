/**
 * `Idempotency-Key` on POST. Stored responses are encrypted, because they may contain a secret that is shown only once.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { ERROR_STATUSES, type ErrorCode } from '../../contracts/error-codes';
import { AppError } from '../../platform/errors';
import { createSealer, type Sealer } from '../../platform/sealing';
import {
  executeIdempotently,
  hashClaim,
  type KeyedRequest,
} from '../../services/idempotency/execute-idempotently';
import type { Dependencies } from '../../services/ports/dependencies';
import type { RouteResponse } from './response';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

export interface IdempotentResponse {
  readonly result: () => RouteResponse;
  readonly isReplayed: boolean;
}

export type RespondIdempotently = (
  request: KeyedRequest,
  work: () => Promise<RouteResponse>,
) => Promise<IdempotentResponse>;

/** Returns the key. null means that the header is missing. Throws `validation_failed` for an invalid key. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | null {
  const given = headers['idempotency-key'];
  if (given === undefined) return null;
  const key = Array.isArray(given) ? given.join(', ') : given;
  if (PRINTABLE.test(key)) return key;
  const message = 'must have 1 to 255 printable ASCII characters';
  throw new AppError('validation_failed', `The header Idempotency-Key ${message}.`, {
    errors: [{ path: 'Idempotency-Key', code: 'invalid_header', message }],
  });
}

/**
 * Creates a function that runs the work once per key. Refusals below 500 are stored like any other response. Server
 * errors and temporary refusals (429) are not stored.
 */
export function createIdempotentResponder(
  services: Dependencies,
  secretKeys: readonly string[],
): RespondIdempotently {
  const sealer = createSealer(secretKeys, 'idempotent-response');
  return async (request, work) => {
    const claimId = hashClaim(request);
    const { text, isReplayed } = await executeIdempotently(services, request, async () =>
      seal(sealer, claimId, await catchOutcome(work)),
    );
    return { result: () => unfold(open(sealer, claimId, text)), isReplayed };
  };
}

const errorCode = z.custom<ErrorCode>((value) => Object.hasOwn(ERROR_STATUSES, String(value)));

const keptShape = z.union([
  z.object({
    status: z.number(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown().optional(),
  }),
  z.object({
    refusal: z.object({
      code: errorCode,
      message: z.string(),
      errors: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
    }),
  }),
]);
type Kept = z.output<typeof keptShape>;

async function catchOutcome(work: () => Promise<RouteResponse>): Promise<Kept> {
  try {
    const { status, headers = {}, body } = await work();
    return { status, headers: { ...headers }, body };
  } catch (error) {
    if (!(error instanceof AppError) || !isKept(error.code)) throw error;
    const { code, message, errors } = error;
    return { refusal: { code, message, errors: [...errors] } };
  }
}

function isKept(code: ErrorCode): boolean {
  const status = ERROR_STATUSES[code];
  return status < 500 && status !== 429;
}

function unfold(kept: Kept): RouteResponse {
  if (!('refusal' in kept)) return kept;
  const { code, message, errors } = kept.refusal;
  throw new AppError(code, message, { errors });
}

function seal(sealer: Sealer, claimId: string, kept: Kept): string {
  return sealer.seal(Buffer.from(JSON.stringify(kept)), claimId).toString('base64');
}

function open(sealer: Sealer, claimId: string, text: string): Kept {
  return keptShape.parse(JSON.parse(sealer.open(Buffer.from(text, 'base64'), claimId).toString()));
}
