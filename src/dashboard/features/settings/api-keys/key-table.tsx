/** API keys with their scopes, when they were last used, and a button to revoke them. */
import { Code, Text } from '@mantine/core';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { ApiKey } from '../../../shared/data/api-types';
import { RowTable } from '../../../shared/list/row-table';
import { RelativeTime } from '../../../shared/text/time';
import { absolute } from '../../../shared/text/time-text';
import { findKeyEnd } from './key-expiry';
import { TEXT } from './strings';

export function KeyTable({ keys }: { readonly keys: readonly ApiKey[] }) {
  return (
    <RowTable
      label="API keys"
      rows={keys}
      columns={{
        Name: ({ name, prefix, last4 }) => (
          <>
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <Code>
              {prefix}…{last4}
            </Code>
          </>
        ),
        Scopes: ({ scopes }) => scopes.join(', '),
        'Last used': ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
        Created: ({ createdAt }) => <RelativeTime at={createdAt} />,
        Expires: ({ expiresAt }) => <RelativeTime at={expiresAt} />,
        Action: (key) => <Action apiKey={key} />,
      }}
    />
  );
}

/** `It was last used 29 Nov 2026, 14:35:39.` */
function usedWords({ lastUsedAt }: ApiKey): string {
  return lastUsedAt === null
    ? 'It has never been used.'
    : `It was last used on ${absolute(lastUsedAt)}.`;
}

function Action({ apiKey }: { readonly apiKey: ApiKey }) {
  const { id, name } = apiKey;
  const end = findKeyEnd(apiKey, Date.now());
  if (end !== null) return end === 'revoked' ? 'Revoked' : 'Expired';
  return (
    <DeleteButton
      path={`/v1/api-keys/${id}`}
      touches={['/v1/api-keys', '/v1/account']}
      word={TEXT.revoke}
      label={`${TEXT.revoke} ${name}`}
      question={{
        title: `Revoke “${name}”?`,
        text: `Scripts and CI jobs that use this key are refused from now on. ${usedWords(apiKey)} This can’t be undone.`,
      }}
      done="API key revoked."
    />
  );
}
