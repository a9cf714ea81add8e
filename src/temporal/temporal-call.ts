/** Makes one call to Temporal with a deadline. Callers get Keepwatch's own errors instead of the SDK's errors. */
import { type Client, isGrpcServiceError } from '@temporalio/client';
import { AppError } from '../platform/errors';

const GRPC_INVALID_ARGUMENT = 3;
const RETRY_AFTER_SECONDS = 5;

/**
 * Makes the call. Throws AppError `internal` if Temporal refuses the request as invalid, and `unavailable` for other
 * failures, such as no response within `deadlineMs`.
 */
export async function callTemporal<Result>(
  client: Client,
  deadlineMs: number,
  call: () => Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  // The deadline of Temporal's client does not limit the pauses between its attempts. So a timer limits the whole call.
  const deadline = new Promise<never>((_resolve, reject) => {
    const giveUp = () => reject(new Error(`no response within ${deadlineMs} ms`));
    timer = setTimeout(giveUp, deadlineMs);
  });
  try {
    return await Promise.race([client.withDeadline(Date.now() + deadlineMs, call), deadline]);
  } catch (error) {
    throw temporalError(error);
  } finally {
    clearTimeout(timer);
  }
}

function temporalError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const root = cause instanceof Error && isGrpcServiceError(cause.cause) ? cause.cause : cause;
  if (isGrpcServiceError(root) && root.code === GRPC_INVALID_ARGUMENT)
    return new AppError('internal', 'Temporal refused the request.', { cause });
  return new AppError('unavailable', 'Temporal does not respond at the moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}
