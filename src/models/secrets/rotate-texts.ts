/** Re-encrypts documents that contain a single encrypted text. */
import { codeAppContext, probeKeyContext, subscriberContext } from '../../contracts/seal-contexts';
import type { TextSealer } from '../../platform/sealing';
import type { Models } from '../collections';

export type Outcome = 'rotated' | 'unreadable' | 'changed';

export async function rotateProbeKey(
  probeKeys: Models['probeKeys'],
  sealer: TextSealer,
  _id: string,
): Promise<Outcome> {
  const found = await probeKeys.findOne({ _id }).lean();
  if (found === null) return 'changed';
  const sealed = rotateText(sealer, found.sealed, probeKeyContext(found.region, _id));
  if (sealed === null) return 'unreadable';
  await probeKeys.updateOne({ _id }, { $set: { sealed, keyIds: [sealer.keyId] } });
  return 'rotated';
}

export async function rotateCodeApp(
  apps: Models['codeApps'],
  sealer: TextSealer,
  _id: string,
): Promise<Outcome> {
  const found = await apps.findOne({ _id }).lean();
  if (found === null) return 'changed';
  const sealed = rotateText(sealer, found.sealed, codeAppContext(_id));
  if (sealed === null) return 'unreadable';
  const outcome = await apps.updateOne(
    { _id, sealed: found.sealed },
    { $set: { sealed, keyIds: [sealer.keyId] } },
  );
  return outcome.matchedCount === 1 ? 'rotated' : 'changed';
}

export async function rotateSubscriber(
  subscribers: Models['statusPageSubscribers'],
  sealer: TextSealer,
  _id: string,
): Promise<Outcome> {
  const found = await subscribers.findOne({ _id }).lean();
  if (found === null) return 'changed';
  const sealed = rotateText(sealer, found.sealed, subscriberContext(found.pageId));
  if (sealed === null) return 'unreadable';
  await subscribers.updateOne({ _id }, { $set: { sealed, keyIds: [sealer.keyId] } });
  return 'rotated';
}

/** Re-encrypts a text. null means that no key of the keyring can decrypt it. */
export function rotateText(sealer: TextSealer, sealed: string, context: string): string | null {
  try {
    return sealer.seal(sealer.open(sealed, context), context);
  } catch {
    return null;
  }
}
