/**
 * Encrypts a probe's requests to the API about watches (long-running activities that check steady monitors), and
 * decrypts the responses.
 */
import {
  type AliveResponse,
  DELIVERY_BYTES_MAX,
  type DeliveryReceipts,
  deliveryContext,
  type OpenedWatches,
  type SealedPart,
} from '../contracts/probe-protocol';
import { WATCH_RECEIPTS } from '../contracts/watches';
import { createSealer } from '../platform/sealing';

export interface DeliverySeal {
  /** Encrypts a body. Throws if the result is larger than the API accepts. */
  readonly seal: (part: SealedPart, body: unknown) => Buffer;
  /**
   * Returns one receipt for each of `count` delivered results. Throws if the API did not encrypt the receipts, or if
   * their format is unknown.
   */
  readonly openReceipts: (sealed: Buffer, count: number) => DeliveryReceipts;
  /**
   * Returns the API's data about each of `count` watches. Throws if the API did not encrypt the response, or if its
   * format is unknown.
   */
  readonly openOpened: (sealed: Buffer, count: number) => OpenedWatches;
  /**
   * Returns the slot grids that have changed. Throws if the API did not encrypt the response, or if its format is
   * unknown.
   */
  readonly openMoved: (sealed: Buffer) => AliveResponse;
}

/** @param secret The secret of the probe's key. */
export function createDeliverySeal(secret: string, region: string): DeliverySeal {
  const deliveries = createSealer([secret], 'probe-delivery');
  const responses = createSealer([secret], 'probe-response');
  const open = (sealed: Buffer, part: SealedPart): unknown =>
    JSON.parse(responses.open(sealed, deliveryContext(part, region)).toString('utf8'));
  return {
    seal: (part, body) => {
      const plain = Buffer.from(JSON.stringify(body));
      const sealed = deliveries.seal(plain, deliveryContext(part, region));
      if (sealed.length > DELIVERY_BYTES_MAX) throw new Error('the delivery is too large');
      return sealed;
    },
    openReceipts: (sealed, count) => {
      const opened = open(sealed, 'receipts');
      if (!areReceipts(opened, count)) throw new Error('the receipts have an unknown format');
      return opened;
    },
    openOpened: (sealed, count) => {
      const opened = open(sealed, 'opened');
      if (!areOpened(opened, count)) throw new Error('the response has an unknown format');
      return opened;
    },
    openMoved: (sealed) => {
      const opened = open(sealed, 'moved');
      if (!isAlive(opened)) throw new Error('the response has an unknown format');
      return opened;
    },
  };
}

/** Checks the shape, because an API of another release may use another format. */
function areReceipts(response: unknown, count: number): response is DeliveryReceipts {
  if (typeof response !== 'object' || response === null || !('receipts' in response)) return false;
  const { receipts } = response;
  const isKnown = (one: unknown): boolean => WATCH_RECEIPTS.some((receipt) => receipt === one);
  const isEach = Array.isArray(receipts) && receipts.length === count && receipts.every(isKnown);
  return isEach && 'nowMs' in response && typeof response.nowMs === 'number';
}

function isAlive(response: unknown): response is AliveResponse {
  if (typeof response !== 'object' || response === null || !('moved' in response)) return false;
  const isCursor = 'changedSinceMs' in response && typeof response.changedSinceMs === 'number';
  return isCursor && Array.isArray(response.moved);
}

function areOpened(response: unknown, count: number): response is OpenedWatches {
  if (typeof response !== 'object' || response === null || !('watches' in response)) return false;
  const { watches } = response;
  const isEach = Array.isArray(watches) && watches.length === count;
  return isEach && 'nowMs' in response && typeof response.nowMs === 'number';
}
