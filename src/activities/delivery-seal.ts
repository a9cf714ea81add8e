/** Seals results on their way to the API, and opens its receipts. It sends nothing. */
import {
  DELIVERY_BYTES_MAX,
  type DeliveryReceipts,
  deliveryContext,
  type ResultDelivery,
} from '../contracts/probe-protocol';
import { WATCH_RECEIPTS, type WatchedResult, type WatchReceipt } from '../contracts/watches';
import { createSealer } from '../platform/sealing';

interface DeliverySeal {
  /** Throws when the delivery is longer than the API takes. */
  readonly seal: (results: readonly WatchedResult[]) => Buffer;
  /** One receipt for each result; throws when they are not the API's. */
  readonly openReceipts: (sealed: Buffer, count: number) => readonly WatchReceipt[];
}

/** @param secret of the probe's key. */
export function createDeliverySeal(secret: string, region: string): DeliverySeal {
  const deliveries = createSealer([secret], 'probe-delivery');
  const responses = createSealer([secret], 'probe-response');
  return {
    seal: (results) => {
      const delivery: ResultDelivery = { region, results };
      const plain = Buffer.from(JSON.stringify(delivery));
      const sealed = deliveries.seal(plain, deliveryContext('results', region));
      if (sealed.length > DELIVERY_BYTES_MAX) throw new Error('the delivery is too large');
      return sealed;
    },
    openReceipts: (sealed, count) => {
      const opened: unknown = JSON.parse(
        responses.open(sealed, deliveryContext('receipts', region)).toString('utf8'),
      );
      if (!areReceipts(opened, count)) throw new Error('the receipts are not understood');
      return opened.receipts;
    },
  };
}

function areReceipts(response: unknown, count: number): response is DeliveryReceipts {
  if (typeof response !== 'object' || response === null || !('receipts' in response)) return false;
  const { receipts } = response;
  const isKnown = (one: unknown): boolean => WATCH_RECEIPTS.some((receipt) => receipt === one);
  return Array.isArray(receipts) && receipts.length === count && receipts.every(isKnown);
}
