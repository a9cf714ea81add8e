/** Encrypts payloads that an activity sends without the SDK. */
import { hostname } from 'node:os';
import { Context } from '@temporalio/activity';
import type { DataConverter, Payload } from '@temporalio/common';

/** The name that the SDK gives a worker. */
export const WORKER_IDENTITY = `${process.pid}@${hostname()}`;

/** Encrypts for the activity that calls it. */
export type SealForActivity = (payloads: readonly Payload[]) => Promise<Payload[]>;

export function createSealForActivity(
  namespace: string,
  { payloadCodecs = [] }: DataConverter,
): SealForActivity {
  return async (payloads) => {
    const { activityId } = Context.current().info;
    const context = { type: 'activity', namespace, activityId, isLocal: false } as const;
    let sealed = [...payloads];
    for (const codec of payloadCodecs) sealed = await codec.encode(sealed, context);
    return sealed;
  };
}
