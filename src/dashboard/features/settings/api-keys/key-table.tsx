/** API keys with what they may do, when they were used, and how to end them. */
import { Button, Code, Table, Text } from '@mantine/core';
import type { ApiKey } from '../../../shared/api-types';
import { confirm } from '../../../shared/confirm';
import { tell, tellProblem } from '../../../shared/notify';
import { useChange } from '../../../shared/queries';
import { ScrollBox } from '../../../shared/scroll-box';
import { RelativeTime } from '../../../shared/time';
import { endOf } from './key-expiry';
import { TEXT } from './strings';

const MIN_WIDTH = 640;

export function KeyTable({ keys }: { readonly keys: readonly ApiKey[] }) {
  return (
    <ScrollBox label={TEXT.list} minWidth={MIN_WIDTH}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Scopes</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th>Created</Table.Th>
            <Table.Th>Expires</Table.Th>
            <Table.Th>
              <Text span inherit>
                Action
              </Text>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function KeyRow({ apiKey }: { readonly apiKey: ApiKey }) {
  const { name, prefix, last4, scopes, expiresAt, createdAt, lastUsedAt } = apiKey;
  const end = endOf(apiKey, Date.now());
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
        {end === null && <RevokeButton apiKey={apiKey} />}
        {end === 'revoked' && TEXT.revoked}
        {end === 'expired' && TEXT.expired}
      </Table.Td>
    </Table.Tr>
  );
}

function RevokeButton({ apiKey: { id, name } }: { readonly apiKey: ApiKey }) {
  const { mutate, isPending } = useChange(['/v1/api-keys', '/v1/account']);
  const ask = (): void =>
    confirm({
      title: `Revoke “${name}”?`,
      text: 'Whatever uses this key is refused from now on. It can not be taken back.',
      action: TEXT.revoke,
      onConfirm: () =>
        mutate(
          { method: 'DELETE', path: `/v1/api-keys/${id}` },
          { onSuccess: () => tell(TEXT.revokedNow), onError: tellProblem },
        ),
    });
  return (
    <Button
      size="xs"
      variant="default"
      loading={isPending}
      onClick={ask}
      aria-label={`${TEXT.revoke} ${name}`}
    >
      {TEXT.revoke}
    </Button>
  );
}
