/**
 * Encrypts everything that workflows, activities and people hand to the Temporal server. What was
 * not encrypted by us passes through, so that operators' plain JSON is understood.
 *
 * Sealed is the whole payload, its metadata included. Beside it stands the id of the key, bound
 * with the namespace; no workflow id, since the server's UI asks for payloads without saying whose
 * they are. What goes to the probes of a region, and what they return, is sealed with keys of the
 * region, so that a probe opens nothing else.
 */
import type { Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { regionOfActivity } from '../contracts/probe-activity-ids';
import { firstRegionRings, type RegionRings } from '../platform/region-rings';
import { createSealer, type Sealer } from '../platform/sealing';

const PURPOSE = 'workflow-payload';
export const ENCRYPTED_ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';

const PayloadMessage = temporal.api.common.v1.Payload;

/**
 * For those who hold the ring: writes with its first key and reads with all, in each region; throws for
 * what was altered.
 */
export function createPayloadCodec(
  secretKeys: readonly string[],
  namespace: string,
  rings: RegionRings = firstRegionRings(secretKeys),
): PayloadCodec {
  const own = createSealer(secretKeys, PURPOSE);
  const ofRegion = new Map<string, ReturnType<typeof sealerFollowing>>();

  function sealerOf(region: string | null): Sealer {
    if (region === null) return own;
    const sealer = ofRegion.get(region) ?? sealerFollowing(() => rings.keysOf(region));
    ofRegion.set(region, sealer);
    return sealer();
  }

  async function decode(payload: Payload): Promise<Payload> {
    const keyId = keyIdOf(payload);
    if (keyId === null) return payload;
    const region = regionOfKey(keyId);
    const openNow = () => open(payload, { sealer: sealerOf(region), keyId, namespace });
    if (region === null) return openNow();
    return openOrRenew(openNow, rings.renew);
  }

  return {
    encode: async (payloads, context) => {
      const region = regionOf(context);
      const to = { sealer: sealerOf(region), region, namespace };
      return payloads.map((payload) => seal(payload, to));
    },
    decode: (payloads) => Promise.all(payloads.map(decode)),
  };
}

/** Made anew when the keys are another list than before. */
function sealerFollowing(keys: () => readonly string[]): () => Sealer {
  let made: { readonly from: readonly string[]; readonly sealer: Sealer } | undefined;
  return () => {
    const from = keys();
    if (made?.from !== from) made = { from, sealer: createSealer(from, PURPOSE) };
    return made.sealer;
  };
}

/** What no key opens may be sealed with one that is not known here yet. */
async function openOrRenew(openNow: () => Payload, renew: () => Promise<void>): Promise<Payload> {
  try {
    return openNow();
  } catch {
    await renew();
    return openNow();
  }
}

/** What a probe has of its region. */
export interface RegionRing {
  readonly region: string;
  /** The first one writes. */
  readonly keys: () => readonly string[];
  /** Reads the keys again, for a payload that none of them opens. */
  readonly renew: () => Promise<void>;
}

/** For a probe: seals for its region, and opens what is sealed for its region only. */
export function createRegionCodec(
  { region, keys, renew }: RegionRing,
  namespace: string,
): PayloadCodec {
  const sealer = sealerFollowing(keys);

  async function decode(payload: Payload): Promise<Payload> {
    const keyId = keyIdOf(payload);
    if (keyId === null) return payload;
    if (regionOfKey(keyId) !== region) throw new Error('sealed for someone else');
    return openOrRenew(() => open(payload, { sealer: sealer(), keyId, namespace }), renew);
  }

  return {
    encode: async (payloads) =>
      payloads.map((payload) => seal(payload, { sealer: sealer(), region, namespace })),
    decode: (payloads) => Promise.all(payloads.map(decode)),
  };
}

/** null: the payload is for the orchestrator. */
function regionOf(context: SerializationContext | undefined): string | null {
  if (context?.type !== 'activity' || context.isLocal) return null;
  return regionOfActivity(context.activityId ?? '');
}

/** Ids of keys are eight hex characters, behind the region where they are keys of one. */
function regionOfKey(keyId: string): string | null {
  const colon = keyId.indexOf(':');
  return colon === -1 ? null : keyId.slice(0, colon);
}

interface SealedFor {
  readonly sealer: Sealer;
  readonly region: string | null;
  readonly namespace: string;
}

function seal(payload: Payload, { sealer, region, namespace }: SealedFor): Payload {
  const keyId = region === null ? sealer.keyId : `${region}:${sealer.keyId}`;
  const plain = Buffer.from(PayloadMessage.encode(payload).finish());
  const metadata = { encoding: Buffer.from(ENCRYPTED_ENCODING), [KEY_ID]: Buffer.from(keyId) };
  return { metadata, data: sealer.seal(plain, contextOf(namespace, keyId)) };
}

/** null: not encrypted by us. */
function keyIdOf({ metadata }: Payload): string | null {
  if (textOf(metadata?.['encoding']) !== ENCRYPTED_ENCODING) return null;
  return textOf(metadata?.[KEY_ID]);
}

interface Opener {
  readonly sealer: Sealer;
  readonly keyId: string;
  readonly namespace: string;
}

function open({ data }: Payload, { sealer, keyId, namespace }: Opener): Payload {
  const sealed = Buffer.from(data ?? []);
  return PayloadMessage.decode(sealer.open(sealed, contextOf(namespace, keyId)));
}

function contextOf(namespace: string, keyId: string): string {
  return `${namespace}\n${keyId}`;
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString();
}
