/**
 * Encrypts every payload, with its metadata, that workflows, activities and people send to the Temporal server.
 *
 * The key id and the namespace are authenticated. The workflow id is not, because the UI does not send it.
 *
 * Payloads of a region's probes use keys of the region and are bound to their activity. If an activity returns the
 * payload of another activity, the workflow reads null. An unreadable payload would block the workflow forever.
 *
 * Plain payloads are accepted, so that operators can send JSON.
 */
import {
  defaultPayloadConverter,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
} from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { readActivityRegion } from '../contracts/probe-activity-ids';
import { createUnrotatedKeyrings, type RegionKeyrings } from '../platform/region-keyrings';
import { createSealer, type Sealer } from '../platform/sealing';

const PURPOSE = 'workflow-payload';
export const ENCRYPTED_ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';
/** The id of the activity to which a payload belongs. Absent in older payloads, which are not bound to an activity. */
const ACTIVITY = 'encryption-activity';

const PayloadMessage = temporal.api.common.v1.Payload;

/**
 * Creates the codec for processes with the keyring. It encrypts with the first key of a region and decrypts with all
 * keys. Throws for altered payloads.
 */
export function createPayloadCodec(
  secretKeys: readonly string[],
  namespace: string,
  keyrings: RegionKeyrings = createUnrotatedKeyrings(secretKeys),
): PayloadCodec {
  const own = createSealer(secretKeys, PURPOSE);
  const ofRegion = new Map<string, ReturnType<typeof followKeys>>();

  function createRegionSealer(region: string | null): Sealer {
    if (region === null) return own;
    const sealer = ofRegion.get(region) ?? followKeys(() => keyrings.readKeys(region));
    ofRegion.set(region, sealer);
    return sealer();
  }

  async function decode(payload: Payload): Promise<Payload> {
    const keyId = readKeyId(payload);
    if (keyId === null) return payload;
    const region = regionOfKey(keyId);
    const openNow = () => open(payload, { sealer: createRegionSealer(region), keyId, namespace });
    if (region === null) return openNow();
    return openOrRenew(openNow, keyrings.renew);
  }

  /** Decrypts the report of a probe. Rejects only if the keys cannot be read. */
  async function decodeReport(payload: Payload, from: ProbeActivity): Promise<Payload> {
    const keyId = readKeyId(payload);
    const isOfProbe = keyId !== null && regionOfKey(keyId) === from.region;
    if (!isOfProbe || !isOfActivity(payload, from)) return NOTHING;
    const tryOpen = (): Payload | null => {
      try {
        return open(payload, { sealer: createRegionSealer(from.region), keyId, namespace });
      } catch {
        return null;
      }
    };
    const opened = tryOpen();
    if (opened !== null) return opened;
    await keyrings.renew();
    return tryOpen() ?? NOTHING;
  }

  return {
    encode: async (payloads, context) => {
      const { region = null, activityId } = readProbeActivity(context) ?? {};
      const to = { sealer: createRegionSealer(region), region, namespace, activityId };
      return payloads.map((payload) => seal(payload, to));
    },
    decode: (payloads, context) => {
      const from = readProbeActivity(context);
      return Promise.all(
        payloads.map((payload) => (from === null ? decode(payload) : decodeReport(payload, from))),
      );
    },
  };
}

/** A workflow reads this payload instead of a report that does not come from its own probe activity. */
const NOTHING: Payload = defaultPayloadConverter.toPayload(null);

interface ProbeActivity {
  readonly region: string;
  readonly activityId: string;
}

/** Returns the probe activity to which the payload belongs. null if the payload is for the orchestrator. */
function readProbeActivity(context: SerializationContext | undefined): ProbeActivity | null {
  if (context?.type !== 'activity' || context.isLocal) return null;
  const { activityId = '' } = context;
  const region = readActivityRegion(activityId);
  return region === null ? null : { region, activityId };
}

/**
 * Returns true if the payload is bound to this activity, or to no activity. The binding is authenticated, so it cannot
 * be forged.
 */
function isOfActivity({ metadata }: Payload, { activityId }: ProbeActivity): boolean {
  const bound = metadata?.[ACTIVITY];
  return bound == null || decodeText(bound) === activityId;
}

/** Returns a function for the current sealer. It creates a new sealer whenever the list of keys has changed. */
function followKeys(keys: () => readonly string[]): () => Sealer {
  let made: { readonly from: readonly string[]; readonly sealer: Sealer } | undefined;
  return () => {
    const from = keys();
    if (made?.from !== from) made = { from, sealer: createSealer(from, PURPOSE) };
    return made.sealer;
  };
}

/** Opens a payload. If no known key decrypts it, reads the keys again and retries once. */
async function openOrRenew(openNow: () => Payload, renew: () => Promise<void>): Promise<Payload> {
  try {
    return openNow();
  } catch {
    await renew();
    return openNow();
  }
}

/** The keys that a probe has for its region. */
export interface RegionKeys {
  readonly region: string;
  /** Returns the region's keys. The first key encrypts, and all keys decrypt. */
  readonly keys: () => readonly string[];
  /** Reads the keys again. Called when no known key decrypts a payload. */
  readonly renew: () => Promise<void>;
}

/** Creates the codec for a probe. It encrypts and decrypts only for the region of the probe. */
export function createRegionCodec(
  { region, keys, renew }: RegionKeys,
  namespace: string,
): PayloadCodec {
  const sealer = followKeys(keys);

  async function decode(payload: Payload, from: ProbeActivity | null): Promise<Payload> {
    const keyId = readKeyId(payload);
    // Only operators send plain JSON, and only to workflows.
    if (keyId === null) throw new Error('not sealed');
    const isMine = regionOfKey(keyId) === region && (from === null || isOfActivity(payload, from));
    if (!isMine) throw new Error('sealed for another region or activity');
    return openOrRenew(() => open(payload, { sealer: sealer(), keyId, namespace }), renew);
  }

  return {
    encode: async (payloads, context) => {
      const { activityId } = readProbeActivity(context) ?? {};
      const to = { sealer: sealer(), region, namespace, activityId };
      return payloads.map((payload) => seal(payload, to));
    },
    decode: (payloads, context) => {
      const from = readProbeActivity(context);
      return Promise.all(payloads.map((payload) => decode(payload, from)));
    },
  };
}

/**
 * Returns the region of a key. null if the key belongs to no region. Key ids are eight hex characters. The id of a
 * region's key is prefixed with the region.
 */
function regionOfKey(keyId: string): string | null {
  const colon = keyId.indexOf(':');
  return colon === -1 ? null : keyId.slice(0, colon);
}

interface SealedFor {
  readonly sealer: Sealer;
  readonly region: string | null;
  readonly namespace: string;
  /** The id of the activity if a probe encrypts, and undefined otherwise. */
  readonly activityId: string | undefined;
}

function seal(payload: Payload, { sealer, region, namespace, activityId }: SealedFor): Payload {
  const keyId = region === null ? sealer.keyId : `${region}:${sealer.keyId}`;
  const plain = Buffer.from(PayloadMessage.encode(payload).finish());
  const metadata = {
    encoding: Buffer.from(ENCRYPTED_ENCODING),
    [KEY_ID]: Buffer.from(keyId),
    ...(activityId !== undefined && { [ACTIVITY]: Buffer.from(activityId) }),
  };
  return { metadata, data: sealer.seal(plain, buildContext(namespace, keyId, activityId)) };
}

/** Returns the id of the key that encrypted the payload. null if Keepwatch has not encrypted it. */
function readKeyId({ metadata }: Payload): string | null {
  if (decodeText(metadata?.['encoding']) !== ENCRYPTED_ENCODING) return null;
  return decodeText(metadata?.[KEY_ID]);
}

interface Opener {
  readonly sealer: Sealer;
  readonly keyId: string;
  readonly namespace: string;
}

function open({ data, metadata }: Payload, { sealer, keyId, namespace }: Opener): Payload {
  const sealed = Buffer.from(data ?? []);
  const bound = metadata?.[ACTIVITY];
  const context = buildContext(namespace, keyId, bound == null ? undefined : decodeText(bound));
  return PayloadMessage.decode(sealer.open(sealed, context));
}

function buildContext(namespace: string, keyId: string, activityId: string | undefined): string {
  return [namespace, keyId, ...(activityId === undefined ? [] : [activityId])].join('\n');
}

function decodeText(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString();
}
