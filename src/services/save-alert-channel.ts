/** Creates and changes alert channels. The first channel of its type becomes the default one. */
import type { AlertAddress } from '../contracts/alerts';
import { AppError } from '../platform/errors';
import type { AlertChannelBody, AlertChannelChange } from '../schemas/alerts';
import { isChannelType, openPlace, readChannels, sealPlace } from './alert-places';
import type { Dependencies } from './dependencies';
import { refuseProblems } from './field-problems';
import { findAlertChannel } from './get-alert-channel';
import {
  type AlertChannelAnswer,
  type NewAlertChannelAnswer,
  presentAlertChannel,
} from './present-alert-channel';
import type { AlertChannelRow, ChannelPlace } from './rows';

const SIGNING_SECRET_BYTES = 32;
const CHANGE_TRIES_MAX = 5;

type Needs = Pick<
  Dependencies,
  'stores' | 'clock' | 'newId' | 'randomBytes' | 'sealers' | 'findBlockedTarget'
>;

/** A webhook's signing secret is in this one answer only. */
export async function createAlertChannel(
  needs: Needs,
  accountId: string,
  body: AlertChannelBody,
): Promise<NewAlertChannelAnswer> {
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
  readonly others: readonly AlertChannelRow[];
}

interface NewChannel {
  readonly row: AlertChannelRow;
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
  refuseBlocked(needs, addresses);
  const isFirst = !others.some(({ type, isDefault }) => type === body.type && isDefault);
  const nowMs = needs.clock.now();
  const row: AlertChannelRow = {
    id: needs.newId('channel'),
    accountId,
    version: 1,
    name: body.name,
    key: body.key,
    type: body.type,
    isDefault: body.isDefault ?? isFirst,
    places: addresses.map((address) => sealPlace(needs.sealers.stored, accountId, address)),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  return { row, signingSecret: body.type === 'webhook' ? secret : null };
}

/** Throws `key_taken`. */
export async function storeNewChannel(needs: Needs, row: AlertChannelRow): Promise<void> {
  await needs.stores.alertChannels.create(row.accountId, row);
  if (row.isDefault) await dethroneOthers(needs, row);
}

/** Throws `blocked_target` and `validation_failed`; what does not change keeps its sealed form. */
export function changedAlertChannel(
  needs: Needs,
  before: AlertChannelRow,
  change: AlertChannelChange,
): AlertChannelRow {
  return {
    ...before,
    name: change.name ?? before.name,
    key: change.key === undefined ? before.key : change.key,
    isDefault: change.isDefault ?? before.isDefault,
    places: changedPlaces(needs, before, change),
    version: before.version + 1,
    updatedAtMs: needs.clock.now(),
  };
}

/** False when others changed it since `before`. */
export async function storeChangedChannel(
  needs: Needs,
  before: AlertChannelRow,
  row: AlertChannelRow,
): Promise<boolean> {
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
): Promise<AlertChannelAnswer> {
  for (let tries = 1; tries <= CHANGE_TRIES_MAX; tries += 1) {
    const before = await findAlertChannel(needs, accountId, id);
    accept(before.version);
    const row = changedAlertChannel(needs, before, change);
    if (await storeChangedChannel(needs, before, row)) return presentAlertChannel(row);
  }
  throw new AppError('version_mismatch', 'Others changed it at the same time; try again.');
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

function changedPlaces(
  needs: Needs,
  row: AlertChannelRow,
  { emails, webhookUrl, url }: AlertChannelChange,
): readonly ChannelPlace[] {
  const given = { email: emails, slack: webhookUrl, webhook: url };
  const strays = Object.entries(given).filter(([type, value]) => type !== row.type && value);
  const names = { email: 'emails', slack: 'webhookUrl', webhook: 'url' } as const;
  const message = `is not a field of a channel of type ${row.type}`;
  refuseProblems(
    strays.flatMap(([type]) =>
      isChannelType(type) ? [{ path: names[type], code: 'unknown_field', message }] : [],
    ),
  );
  const addresses = changedAddresses(needs, row, { emails, url: webhookUrl ?? url });
  if (addresses === null) return row.places;
  refuseBlocked(needs, addresses);
  return addresses.map((address) => sealPlace(needs.sealers.stored, row.accountId, address));
}

/** A webhook keeps its signing secret when it moves; null: nothing changes. */
function changedAddresses(
  { sealers }: Needs,
  { accountId, type, places }: AlertChannelRow,
  change: { readonly emails: readonly string[] | undefined; readonly url: string | undefined },
): readonly AlertAddress[] | null {
  const { emails, url } = change;
  if (emails !== undefined) return emails.map((email) => ({ type: 'email', email }));
  if (url === undefined) return null;
  if (type === 'slack') return [{ type: 'slack', url }];
  const before = openPlace(sealers.stored, accountId, places[0]?.sealed ?? '');
  return before.type === 'webhook' ? [{ ...before, url }] : null;
}

function refuseBlocked({ findBlockedTarget }: Needs, addresses: readonly AlertAddress[]): void {
  const problems = addresses.flatMap((address) => {
    if (address.type === 'email') return [];
    const message = findBlockedTarget(address.url);
    const path = address.type === 'slack' ? 'webhookUrl' : 'url';
    return message === null ? [] : [{ path, code: 'blocked_target', message }];
  });
  refuseProblems(problems);
}

/** One default of a type; a crash in between leaves two, and both are used until the next change. */
async function dethroneOthers({ stores, clock }: Needs, chosen: AlertChannelRow): Promise<void> {
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
