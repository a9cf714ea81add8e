/**
 * Re-encrypts values that older keys encrypted, so that operators can remove the older keys. Skips a document that
 * another process changes at the same time. Readers can decrypt the old and the new form.
 */
import type { Model } from 'mongoose';
import type { Definition, Variable } from '../../contracts/definition';
import {
  destinationContext,
  pingContext,
  secretContext,
  variableContext,
} from '../../contracts/seal-contexts';
import type { Clock } from '../../platform/clock';
import { readKeyId, type TextSealer } from '../../platform/sealing';
import type { Models } from '../collections';
import type { ResourceDocument } from '../resources/resources';
import type { SealedDefinition } from '../rollouts/rollout-items';
import { isSecret, listKeyIds, listVariableKeys } from '../store/derived-fields';
import { above, below } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import {
  type Outcome,
  rotateCodeApp,
  rotateProbeKey,
  rotateSubscriber,
  rotateText,
} from './rotate-texts';

const BATCH_MAX = 100;

export interface EncryptionRotation {
  readonly rotated: number;
  /** The number of values that no key can decrypt. Such values stay unchanged. */
  readonly unreadable: number;
}

type Range = { $lt: string } | { $gt: string };

/** One collection with encrypted values. */
interface SealedCollection {
  /** Returns ids after the given id, in order. */
  readonly findIds: (keyIds: Range, afterId: string) => Promise<readonly string[]>;
  readonly rotate: (_id: string) => Promise<Outcome>;
}

interface Progress {
  readonly hasTime: () => boolean;
  readonly total: { rotated: number; unreadable: number };
}

/** Works until the time limit, or until nothing is left. The next call continues at the same point. */
export async function rotateEncryption(
  models: Models,
  sealer: TextSealer,
  { clock, budgetMs }: { readonly clock: Clock; readonly budgetMs: number },
): Promise<EncryptionRotation> {
  const untilMs = clock.now() + budgetMs;
  const hasTime = () => clock.now() < untilMs;
  const progress = { hasTime, total: { rotated: 0, unreadable: 0 } };
  for (const collection of listCollections(models, sealer)) {
    for (const range of [below(sealer.keyId), above(sealer.keyId)]) {
      await rotateRange(collection, range, progress);
    }
  }
  return progress.total;
}

/**
 * Re-encrypts values whose keys are in the range. Works in the order of document ids, so that unreadable values do not
 * block the others.
 */
async function rotateRange(
  collection: SealedCollection,
  range: Range,
  { hasTime, total }: Progress,
): Promise<void> {
  let last = '';
  while (hasTime()) {
    const ids = await collection.findIds(range, last);
    for (const id of ids) {
      if (!hasTime()) return;
      const outcome = await collection.rotate(id);
      if (outcome !== 'changed') total[outcome] += 1;
      last = id;
    }
    if (ids.length < BATCH_MAX) return;
  }
}

function listCollections(models: Models, sealer: TextSealer): readonly SealedCollection[] {
  const { secrets, monitors, scenarios, revisions, alertChannels, probeKeys } = models;
  const { statusPageSubscribers: subscribers, rolloutItems, codeApps } = models;
  return [
    { findIds: createFinder(secrets), rotate: (id) => rotateSecret(secrets, sealer, id) },
    { findIds: createFinder(codeApps), rotate: (id) => rotateCodeApp(codeApps, sealer, id) },
    { findIds: createFinder(probeKeys), rotate: (id) => rotateProbeKey(probeKeys, sealer, id) },
    {
      findIds: createFinder(alertChannels),
      rotate: (id) => rotateChannel(alertChannels, sealer, id),
    },
    { findIds: createFinder(monitors), rotate: (id) => rotateResource(monitors, sealer, id) },
    { findIds: createFinder(scenarios), rotate: (id) => rotateResource(scenarios, sealer, id) },
    {
      findIds: createFinder(subscribers),
      rotate: (id) => rotateSubscriber(subscribers, sealer, id),
    },
    {
      findIds: createFinder(rolloutItems),
      rotate: (id) => rotateRolloutItem(rolloutItems, sealer, id),
    },
    { findIds: createFinder(revisions), rotate: (id) => rotateRevision(revisions, sealer, id) },
  ];
}

function createFinder<Document extends { readonly _id: string }>(
  model: Model<Document>,
): SealedCollection['findIds'] {
  return async (keyIds, afterId) => {
    const found = await model
      .find({ keyIds, _id: above(afterId) }, { _id: 1 })
      .sort({ _id: 1 })
      .limit(BATCH_MAX)
      .lean<{ readonly _id: string }[]>();
    return found.map(({ _id }) => _id);
  };
}

async function rotateSecret(
  secrets: Models['secrets'],
  sealer: TextSealer,
  _id: string,
): Promise<Outcome> {
  const found = await secrets.findOne({ _id }).lean();
  if (found === null) return 'changed';
  const { accountId, name, version } = found;
  const sealed = rotateText(sealer, found.sealed, secretContext(accountId, name, version));
  if (sealed === null) return 'unreadable';
  const outcome = await secrets.updateOne(
    { _id, version, sealed: found.sealed },
    { $set: { sealed, keyIds: [sealer.keyId] } },
  );
  return outcome.matchedCount === 1 ? 'rotated' : 'changed';
}

async function rotateResource<Document extends ResourceDocument>(
  model: Model<Document>,
  sealer: TextSealer,
  _id: string,
): Promise<Outcome> {
  const found = await model.findOne({ _id }).lean<ResourceDocument>();
  if (found === null) return 'changed';
  const { accountId, version } = found;
  const variables = rotateVariables(sealer, accountId, { id: _id, variables: found.variables });
  if (variables === null) return 'unreadable';
  const alertTargets = rotateDestinations(sealer, accountId, found.alertTargets);
  if (alertTargets === null) return 'unreadable';
  const ping = rotatePing(sealer, found);
  if (ping === null) return 'unreadable';
  const parts = { variables, alertTargets, ...ping };
  const change: Partial<ResourceDocument> = { ...parts, keyIds: listKeyIds(parts) };
  const outcome = await model.updateOne({ _id, version }, { $set: change });
  return outcome.matchedCount === 1 ? 'rotated' : 'changed';
}

/**
 * Re-encrypts the token of a heartbeat. Returns an empty change if there is no token. null means that the token cannot
 * be decrypted.
 */
function rotatePing(
  sealer: TextSealer,
  { _id, accountId, pingSealed: sealed }: ResourceDocument,
): Pick<ResourceDocument, 'pingSealed'> | null {
  if (sealed === undefined) return {};
  const pingSealed = rotateText(sealer, sealed, pingContext(accountId, _id));
  return pingSealed === null ? null : { pingSealed };
}

async function rotateChannel(
  channels: Models['alertChannels'],
  sealer: TextSealer,
  _id: string,
): Promise<Outcome> {
  const found = await channels.findOne({ _id }).lean();
  if (found === null) return 'changed';
  const { accountId, version } = found;
  const places = rotateDestinations(sealer, accountId, found.places);
  if (places === null) return 'unreadable';
  const keyIds = [sealer.keyId];
  const outcome = await channels.updateOne({ _id, version }, { $set: { places, keyIds } });
  return outcome.matchedCount === 1 ? 'rotated' : 'changed';
}

/** Re-encrypts destinations. null if one of them cannot be decrypted. */
function rotateDestinations<Sealed extends { readonly sealed: string }>(
  sealer: TextSealer,
  accountId: string,
  destinations: readonly Sealed[],
): readonly Sealed[] | null {
  const rotated: Sealed[] = [];
  for (const destination of destinations) {
    const sealed = rotateText(sealer, destination.sealed, destinationContext(accountId));
    if (sealed === null) return null;
    rotated.push({ ...destination, sealed });
  }
  return rotated;
}

/** Re-encrypts a revision. Nothing else ever changes a revision. */
async function rotateRevision(
  revisions: Models['revisions'],
  sealer: TextSealer,
  _id: string,
): Promise<Outcome> {
  const found = await revisions.findOne({ _id }).lean();
  if (found === null) return 'changed';
  const definition = fromJsonText<Definition>(found.definition);
  const variables = rotateVariables(sealer, found.accountId, definition);
  if (variables === null) return 'unreadable';
  const text = toJsonText({ ...definition, variables });
  await revisions.updateOne(
    { _id },
    { $set: { definition: text, keyIds: listVariableKeys(variables) } },
  );
  return 'rotated';
}

/** Re-encrypts the definition from before a rollout. */
async function rotateRolloutItem(
  items: Models['rolloutItems'],
  sealer: TextSealer,
  _id: string,
): Promise<Outcome> {
  const found = await items.findOne({ _id }).lean();
  if (found?.before === undefined) return 'changed';
  const { accountId, resourceId, before } = found;
  const definition = fromJsonText<SealedDefinition>(before);
  const owned = { id: resourceId, variables: definition.variables };
  const variables = rotateVariables(sealer, accountId, owned);
  const alertTargets = rotateDestinations(sealer, accountId, definition.alertTargets);
  if (variables === null || alertTargets === null) return 'unreadable';
  const rotated = { ...definition, variables, alertTargets };
  const outcome = await items.updateOne(
    { _id, before },
    { $set: { before: toJsonText(rotated), keyIds: listKeyIds(rotated) } },
  );
  return outcome.matchedCount === 1 ? 'rotated' : 'changed';
}

/** Re-encrypts variables. null if one of the values cannot be decrypted. */
function rotateVariables(
  sealer: TextSealer,
  accountId: string,
  { id, variables }: Pick<Definition, 'id' | 'variables'>,
): readonly Variable[] | null {
  const rotated: Variable[] = [];
  for (const variable of variables) {
    if (!isSecret(variable) || readKeyId(variable.value) === sealer.keyId) {
      rotated.push(variable);
      continue;
    }
    const context = variableContext(accountId, id, variable.name);
    const value = rotateText(sealer, variable.value, context);
    if (value === null) return null;
    rotated.push({ ...variable, value });
  }
  return rotated;
}
