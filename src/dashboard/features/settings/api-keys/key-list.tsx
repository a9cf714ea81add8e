/** API keys with their access, when they were last used, and a button to revoke them. */
import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { ApiKey } from '../../../shared/data/api-types';
import { RelativeTime } from '../../../shared/text/time';
import { absolute } from '../../../shared/text/time-text';
import { CardItem, CardList } from '../../../shared/ui/card-list';
import { findKeyEnd } from './key-expiry';
import { accessWords, TEXT } from './strings';

export function KeyList({ keys }: { readonly keys: readonly ApiKey[] }) {
  return (
    <CardList label="API keys">
      {keys.map((key) => (
        <CardItem
          key={key.id}
          name={key.name}
          code={`${key.prefix}…${key.last4}`}
          about={`${accessWords(key.scopes)}${key.operator ? ', and manage all accounts' : ''}`}
          aside={<Expiry apiKey={key} />}
          actions={<Action apiKey={key} />}
        >
          <Text size="sm" c="dimmed">
            {key.lastUsedAt === null ? (
              'Never used'
            ) : (
              <>
                Last used <RelativeTime at={key.lastUsedAt} />
              </>
            )}{' '}
            · created <RelativeTime at={key.createdAt} />
          </Text>
          {isRisky(key) && (
            <Text size="sm" c="var(--kw-degraded)">
              <IconAlertTriangle size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> This key
              has full access and never expires. Replace it with one that expires.
            </Text>
          )}
        </CardItem>
      ))}
    </CardList>
  );
}

/** True for a valid key that may do everything, or manage all accounts, forever. */
function isRisky(key: ApiKey): boolean {
  const isLasting = key.expiresAt === null && findKeyEnd(key, Date.now()) === null;
  return isLasting && (key.operator || key.scopes.includes('admin'));
}

function Expiry({ apiKey }: { readonly apiKey: ApiKey }) {
  const end = findKeyEnd(apiKey, Date.now());
  if (end !== null) return <Text size="sm">{end === 'revoked' ? 'Revoked' : 'Expired'}</Text>;
  return (
    <Text size="sm">
      {apiKey.expiresAt === null ? (
        'Never expires'
      ) : (
        <>
          Expires <RelativeTime at={apiKey.expiresAt} />
        </>
      )}
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
  if (findKeyEnd(apiKey, Date.now()) !== null) return null;
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
