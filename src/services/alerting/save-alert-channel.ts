/** Creates and changes alert channels. The first channel of its type becomes the default one. */

import { type AlertAddress, CHANNEL_TYPES } from '../../contracts/alerts';
import type { AlertChannel, ChannelDestination } from '../../models/alerting/alert-channels';
import { canonicalJson } from '../../platform/canonical-json';
import type { AlertChannelBody, AlertChannelChange } from '../../schemas/alerts';
import type { AlertChannelResponse, NewAlertChannelResponse } from '../../schemas/responses/alerts';
import { refuseProblems } from '../lists/field-problems';
import { orUndo } from '../lists/or-undo';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import type { Dependencies } from '../ports/dependencies';
import { isMaskedUrl, openDestination, readChannels, sealDestination } from './alert-destinations';
import { findAlertChannel } from './get-alert-channel';
import { presentAlertChannel } from './present-alert-channel';

const SIGNING_SECRET_BYTES = 32;

type Needs = Pick<
  Dependencies,
  'stores' | 'clock' | 'sleep' | 'newId' | 'randomBytes' | 'sealers' | 'findBlockedTarget'
>;

/** A webhook's signing secret is in this one answer only. */
export async function createAlertChannel(
  needs: Needs,
  accountId: string,
  body: AlertChannelBody,
): Promise<NewAlertChannelResponse> {
  const others = await readChannels(needs.stores.alertChannels, accountId);
  const { row, signingSecret } = newAlertChannel(needs, { accountId, body, others });
  await storeNewChannel(needs, row);
  const answer = presentAlertChannel(row);
  return signingSecret === null ? answer : { ...answer, signingSecret };
}

interface NewChannelRequest {
  readonly accountId: string;
  readonly body: AlertChannelBody;
  /** Channels that are there. */
  readonly others: readonly AlertChannel[];
}

interface NewChannel {
  readonly row: AlertChannel;
  /** Of a webhook. */
  readonly signingSecret: string | null;
}

/** What would be stored; nothing is yet. Throws `blocked_target`. */
export function newAlertChannel(
  needs: Needs,
  { accountId, body, others }: NewChannelRequest,
): NewChannel {
  const secret = needs.randomBytes(SIGNING_SECRET_BYTES).toString('base64url');
  const addresses = addressesOf(body, secret);
  refuseMasked(addresses);
  refuseBlocked(needs, addresses);
  const isFirst = !others.some(({ type, isDefault }) => type === body.type && isDefault);
  const nowMs = needs.clock.now();
  const row: AlertChannel = {
    id: needs.newId('channel'),
    accountId,
    version: 1,
    name: body.name,
    key: body.key,
    type: body.type,
    isDefault: body.isDefault ?? isFirst,
    places: addresses.map((address) => sealDestination(needs.sealers.stored, accountId, address)),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  return { row, signingSecret: body.type === 'webhook' ? secret : null };
}

/** Throws `key_taken`; whatever it throws, nothing is stored. */
export async function storeNewChannel(needs: Needs, row: AlertChannel): Promise<void> {
  const { accountId, id, version } = row;
  const { alertChannels } = needs.stores;
  const store = async (): Promise<void> => {
    await alertChannels.create(accountId, row);
    if (row.isDefault) await dethroneOthers(needs, row);
  };
  await orUndo(needs, store, () => alertChannels.remove(accountId, id, version));
}

/**
 * The row itself when nothing changes. An address as answers show it is the stored one. Throws
 * `blocked_target` and `validation_failed`.
 */
export function changedAlertChannel(
  needs: Needs,
  before: AlertChannel,
  change: AlertChannelChange,
): AlertChannel {
  const changed = {
    ...before,
    name: change.name ?? before.name,
    key: change.key === undefined ? before.key : change.key,
    isDefault: change.isDefault ?? before.isDefault,
    places: changedPlaces(needs, before, change),
  };
  if (canonicalJson(changed) === canonicalJson(before)) return before;
  return { ...changed, version: before.version + 1, updatedAtMs: needs.clock.now() };
}

/** False when others changed it since `before`; true without a write for the same row. */
async function storeChangedChannel(
  needs: Needs,
  before: AlertChannel,
  row: AlertChannel,
): Promise<boolean> {
  if (row === before) return true;
  const isStored = await needs.stores.alertChannels.replace(row.accountId, row, before.version);
  if (isStored && row.isDefault && !before.isDefault) await dethroneOthers(needs, row);
  return isStored;
}

export interface ChannelChangeRequest {
  readonly id: string;
  readonly change: AlertChannelChange;
  /** Throws `version_mismatch` for a version that the caller did not expect. */
  readonly accept: (version: number) => void;
}

/** Alerts that are sent from now on use it; those under way keep the place that they have. */
export async function changeAlertChannel(
  needs: Needs,
  accountId: string,
  { id, change, accept }: ChannelChangeRequest,
): Promise<AlertChannelResponse> {
  return withOptimisticRetry(needs, async () => {
    const before = await findAlertChannel(needs, accountId, id);
    accept(before.version);
    const row = changedAlertChannel(needs, before, change);
    const isStored = await storeChangedChannel(needs, before, row);
    return isStored ? presentAlertChannel(row) : OVERTAKEN;
  });
}

function addressesOf(body: AlertChannelBody, secret: string): readonly AlertAddress[] {
  switch (body.type) {
    case 'email':
      return body.emails.map((email) => ({ type: 'email', email }));
    case 'slack':
      return [{ type: 'slack', url: body.webhookUrl }];
    case 'webhook':
      return [{ type: 'webhook', url: body.url, secret }];
  }
}

const ADDRESS_FIELDS = { email: 'emails', slack: 'webhookUrl', webhook: 'url' } as const;

function changedPlaces(
  needs: Needs,
  row: AlertChannel,
  change: AlertChannelChange,
): readonly ChannelDestination[] {
  refuseStrays(row, change);
  const addresses = changedAddresses(needs, row, change);
  if (addresses === null) return row.places;
  refuseMasked(addresses);
  refuseBlocked(needs, addresses);
  return addresses.map((address) => sealDestination(needs.sealers.stored, row.accountId, address));
}

/** The type never changes, and the address has the field of the type. */
function refuseStrays({ type }: AlertChannel, change: AlertChannelChange): void {
  const isOther = change.type !== undefined && change.type !== type;
  const message = `never changes, and is ${type}; make another channel instead`;
  const strays = CHANNEL_TYPES.filter((other) => other !== type)
    .map((other) => ADDRESS_FIELDS[other])
    .filter((field) => change[field] !== undefined);
  refuseProblems([
    ...(isOther ? [{ path: 'type', code: 'invalid_value', message }] : []),
    ...strays.map((path) => ({
      path,
      code: 'unknown_field',
      message: `is not a field of a channel of type ${type}`,
    })),
  ]);
}

/** A webhook keeps its signing secret when it moves; null: nothing changes. */
function changedAddresses(
  { sealers }: Needs,
  { accountId, type, places }: AlertChannel,
  { emails, webhookUrl, url = webhookUrl }: AlertChannelChange,
): readonly AlertAddress[] | null {
  const shown = places.map((place) => place.shown);
  if (emails !== undefined) {
    const isSame = canonicalJson(emails) === canonicalJson(shown);
    return isSame ? null : emails.map((email) => ({ type: 'email', email }));
  }
  if (url === undefined || url === shown[0]) return null;
  const before = openDestination(sealers.stored, accountId, places[0]?.sealed ?? '');
  if (before.type === 'email' || before.url === url) return null;
  return type === 'slack' ? [{ type: 'slack', url }] : [{ ...before, url }];
}

/** An address as answers and exports show it leads nowhere. */
function refuseMasked(addresses: readonly AlertAddress[]): void {
  const message = 'is masked, as answers show it; give the whole address';
  refuseProblems(
    addresses.flatMap((address) =>
      address.type !== 'email' && isMaskedUrl(address.url)
        ? [{ path: ADDRESS_FIELDS[address.type], code: 'invalid_value', message }]
        : [],
    ),
  );
}

function refuseBlocked({ findBlockedTarget }: Needs, addresses: readonly AlertAddress[]): void {
  const problems = addresses.flatMap((address) => {
    if (address.type === 'email') return [];
    const message = findBlockedTarget(address.url);
    const path = ADDRESS_FIELDS[address.type];
    return message === null ? [] : [{ path, code: 'blocked_target', message }];
  });
  refuseProblems(problems);
}

/** One default of a type; a crash in between leaves two, and both are used until the next change. */
async function dethroneOthers({ stores, clock }: Needs, chosen: AlertChannel): Promise<void> {
  const { accountId } = chosen;
  for (const row of await readChannels(stores.alertChannels, accountId)) {
    if (row.id === chosen.id || row.type !== chosen.type || !row.isDefault) continue;
    const changed = {
      ...row,
      isDefault: false,
      version: row.version + 1,
      updatedAtMs: clock.now(),
    };
    await stores.alertChannels.replace(accountId, changed, row.version);
  }
}
