/** API keys with their access, when they were last used, and a button to revoke them. */
import { Code, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { ApiKey } from '../../../shared/data/api-types';
import { RowTable } from '../../../shared/list/row-table';
import { RelativeTime } from '../../../shared/text/time';
import { absolute } from '../../../shared/text/time-text';
import { findKeyEnd } from './key-expiry';
import { accessWords, TEXT } from './strings';

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
        Access: ({ scopes }) => <span title={scopes.join(', ')}>{accessWords(scopes)}</span>,
        'Last used': ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
        Created: ({ createdAt }) => <RelativeTime at={createdAt} />,
        Expires: (key) => <Expiry apiKey={key} />,
        Action: (key) => <Action apiKey={key} />,
      }}
    />
  );
}

/** A warning for a key that may do everything forever. */
function Expiry({ apiKey }: { readonly apiKey: ApiKey }) {
  const { scopes, expiresAt } = apiKey;
  const isRisky = expiresAt === null && scopes.includes('admin');
  if (!isRisky || findKeyEnd(apiKey, Date.now()) !== null) return <RelativeTime at={expiresAt} />;
  return (
    <Text span inherit c="var(--kw-degraded)" title="This key may do everything and never expires.">
      <IconAlertTriangle size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> never
    </Text>
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
