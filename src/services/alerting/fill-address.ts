/** Fills in the secrets of a channel when an alert is sent. */
import type { AlertAddress } from '../../contracts/alerts';
import type { ProbeSecret } from '../../contracts/probe-protocol';
import { isHeaderValue } from '../../domain/definitions/header-rules';
import { formatHostPattern, isAllowedFor } from '../../domain/secrets/secret-hosts';
import { findReferences } from '../../domain/templates/template';
import { findChannel } from '../../notify/channels/registry';
import { fillSecrets, listOrigins, listSecretNames, listSecretValues } from './channel-config';

export type ReadSecrets = (
  accountId: string,
  names: readonly string[],
) => Promise<readonly ProbeSecret[]>;

type Filled =
  | {
      readonly address: AlertAddress;
      /** Values that must not be shown. */
      readonly secrets: readonly string[];
    }
  | { readonly fault: string };

/** Fills in the secrets. Never rejects. Returns a fault for a secret that is missing, not allowed or unreadable. */
export async function fillAddress(
  readSecrets: ReadSecrets,
  accountId: string,
  address: AlertAddress,
): Promise<Filled> {
  const channel = findChannel(address.type);
  if (channel === undefined) return { address, secrets: [] };
  const { config } = address;
  const names = listSecretNames(channel, config);
  const own = listSecretValues(channel, config);
  if (names.length === 0) return { address, secrets: own };
  const found = await readSecrets(accountId, names).catch(() => null);
  if (found === null) return { fault: 'The secrets of the account cannot be read at the moment.' };
  const missing = names.find((name) => !found.some((secret) => secret.name === name));
  if (missing !== undefined) return { fault: `There is no secret "${missing}".` };
  const addresses = listOrigins(channel, config).map((origin) => new URL(origin));
  const refused = found.find((secret) => !isAllowed(secret, addresses));
  if (refused !== undefined) {
    const named = [...new Set(addresses.map(formatHostPattern))].join(', ');
    return { fault: `The secret “${refused.name}” is not allowed for ${named}.` };
  }
  const values = new Map(found.map(({ name, value }) => [name, value]));
  const unsendable = found.find(({ value }) => !isHeaderValue(value));
  if (unsendable !== undefined)
    return { fault: `The secret “${unsendable.name}” contains characters that cannot be sent.` };
  const filled = fillSecrets(channel, config, (text) => fillText(text, values));
  return {
    address: { ...address, config: filled },
    secrets: [...own, ...listSecretValues(channel, filled), ...values.values()],
  };
}

function isAllowed({ hosts }: ProbeSecret, addresses: readonly URL[]): boolean {
  return hosts === undefined || addresses.every((address) => isAllowedFor(address, hosts));
}

function fillText(text: string, values: ReadonlyMap<string, string>): string {
  let filled = '';
  let last = 0;
  for (const { kind, name, start, end } of findReferences(text)) {
    if (kind !== 'secret') continue;
    filled += text.slice(last, start) + (values.get(name) ?? '');
    last = end;
  }
  return filled + text.slice(last);
}
