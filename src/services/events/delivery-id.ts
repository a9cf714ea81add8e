/** Builds the ids of the deliveries of alerts. */
import { createHash } from 'node:crypto';
import type { AlertMessage, AlertTarget } from '../../contracts/alerts';
import { buildUlid } from '../../domain/definitions/ids';

/** Returns the id of a delivery. The same alert to the same target always has the same id. */
export function buildDeliveryId(
  alert: Pick<AlertMessage, 'id' | 'atMs'>,
  { key }: Pick<AlertTarget, 'key'>,
): string {
  return buildHashedId(`${alert.id}:${key}`, alert.atMs);
}

/** Builds an id in the form of alert ids, from the instant and a hash of the text. */
export function buildHashedId(text: string, atMs: number): string {
  const digest = createHash('sha256').update(text).digest();
  return `alr_${buildUlid(atMs, digest.subarray(0, 10))}`;
}
