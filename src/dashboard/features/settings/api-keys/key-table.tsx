/** API keys with their scopes, when they were last used, and a button to revoke them. */
import { Code, Paper, Table } from '@mantine/core';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { ApiKey } from '../../../shared/data/api-types';
import { RelativeTime } from '../../../shared/text/time';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { TableHead } from '../../../shared/ui/table-head';
import { findKeyEnd } from './key-expiry';
import { TEXT } from './strings';

const MIN_WIDTH = 640;

export function KeyTable({ keys }: { readonly keys: readonly ApiKey[] }) {
  return (
    <Paper withBorder>
      <ScrollBox label="API keys" minWidth={MIN_WIDTH}>
        <Table verticalSpacing="xs">
          <TableHead columns={['Name', 'Scopes', 'Last used', 'Created', 'Expires', 'Action']} />
          <Table.Tbody>
            {keys.map((key) => (
              <KeyRow key={key.id} apiKey={key} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Paper>
  );
}

function KeyRow({ apiKey }: { readonly apiKey: ApiKey }) {
  const { id, name, prefix, last4, scopes, expiresAt, createdAt, lastUsedAt } = apiKey;
  const end = findKeyEnd(apiKey, Date.now());
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {name}
        <br />
        <Code>
          {prefix}…{last4}
        </Code>
      </Table.Td>
      <Table.Td>{scopes.join(', ')}</Table.Td>
      <Table.Td>
        <RelativeTime at={lastUsedAt} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={expiresAt} />
      </Table.Td>
      <Table.Td>
        {end === null && (
          <DeleteButton
            path={`/v1/api-keys/${id}`}
            touches={['/v1/api-keys', '/v1/account']}
            word={TEXT.revoke}
            label={`${TEXT.revoke} ${name}`}
            question={{
              title: `Revoke “${name}”?`,
              text: 'Requests with this key will be refused. This can’t be undone.',
            }}
            done="API key revoked."
          />
        )}
        {end === 'revoked' && 'Revoked'}
        {end === 'expired' && 'Expired'}
      </Table.Td>
    </Table.Tr>
  );
}
