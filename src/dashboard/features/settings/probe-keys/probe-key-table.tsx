/** Probe keys grouped by region, when they were last used, and buttons to rotate and revoke them. */
import { Group, Paper, Stack, Table, Text } from '@mantine/core';
import { DeleteButton } from '../../../shared/actions/delete-button';
import { useAct } from '../../../shared/actions/use-act';
import type { NewProbeKey, Page, ProbeKey, Region } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { confirm } from '../../../shared/dialog/confirm';
import { RelativeTime } from '../../../shared/text/time';
import { Heading } from '../../../shared/ui/heading';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { SmallButton } from '../../../shared/ui/small-button';
import { TableHead } from '../../../shared/ui/table-head';
import { TEXT } from './strings';

const MIN_WIDTH = 560;
const PATHS = ['/v1/probe-keys'];

interface ProbeKeyTableProps {
  readonly keys: readonly ProbeKey[];
  readonly onRotated: (key: NewProbeKey) => void;
}

export function ProbeKeyTable({ keys, onRotated }: ProbeKeyTableProps) {
  const regions = [...new Set(keys.map(({ region }) => region))].toSorted();
  // A region that has never had a probe has no encrypted data, so there is nothing to rotate.
  const { data: known } = useRead<Page<Region>>('/v1/regions');
  return (
    <Stack gap="lg">
      {regions.map((region) => (
        <section key={region} aria-label={region}>
          <Group justify="space-between" mb="xs">
            <Heading size="h5">{region}</Heading>
            {known?.data.some(({ id }) => id === region) && <RotateRegionButton region={region} />}
          </Group>
          <Paper withBorder>
            <ScrollBox label={`Probe keys of ${region}`} minWidth={MIN_WIDTH}>
              <Table verticalSpacing="xs">
                <TableHead columns={['Name', 'Last used', 'Created', 'Action']} />
                <Table.Tbody>
                  {keys
                    .filter((key) => key.region === region)
                    .map((key) => (
                      <ProbeKeyRow key={key.id} probeKey={key} onRotated={onRotated} />
                    ))}
                </Table.Tbody>
              </Table>
            </ScrollBox>
          </Paper>
        </section>
      ))}
    </Stack>
  );
}

interface ProbeKeyRowProps {
  readonly probeKey: ProbeKey;
  readonly onRotated: (key: NewProbeKey) => void;
}

function ProbeKeyRow({ probeKey, onRotated }: ProbeKeyRowProps) {
  const { id, name, lastUsedAt, createdAt, revokedAt } = probeKey;
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {name}
        <Text size="xs" c="dimmed" ff="monospace">
          {id}
        </Text>
      </Table.Td>
      <Table.Td>
        <RelativeTime at={lastUsedAt} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td>
        {revokedAt === null ? (
          <Group gap="xs" wrap="nowrap">
            <RotateButton probeKey={probeKey} onRotated={onRotated} />
            <DeleteButton
              path={`/v1/probe-keys/${id}`}
              touches={PATHS}
              word={TEXT.revoke}
              label={`${TEXT.revoke} ${name}`}
              question={{
                title: `Revoke the key of “${name}”?`,
                text: 'A probe with this key ends within 20 seconds. If it is the only one of its region, no checks run there. This can’t be undone.',
              }}
              done="Probe key revoked."
            />
          </Group>
        ) : (
          'Revoked'
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Rotates the region's own key, which encrypts data for its probes. */
function RotateRegionButton({ region }: { readonly region: string }) {
  const { act, isPending } = useAct([]);
  const ask = (): void =>
    confirm({
      title: `Rotate the encryption key of ${region}?`,
      text: 'Revoked probes can no longer read new checks. Running probes pick up the new key automatically.',
      action: TEXT.rotate,
      onConfirm: () =>
        act(
          { method: 'POST', path: '/v1/regions/rotate-key', body: { region } },
          { done: 'Encryption key rotated.' },
        ),
    });
  return (
    <SmallButton loading={isPending} onClick={ask} aria-label={`${TEXT.rotateRegion} of ${region}`}>
      {TEXT.rotateRegion}
    </SmallButton>
  );
}

function RotateButton({ probeKey: { region, name }, onRotated }: ProbeKeyRowProps) {
  const { act, isPending } = useAct<NewProbeKey>(PATHS);
  const ask = (): void =>
    confirm({
      title: `Rotate the key of “${name}”?`,
      text: 'You get a new key for the same region. The current one works until you revoke it, so that the probe can change over first.',
      action: TEXT.rotate,
      onConfirm: () =>
        act(
          { method: 'POST', path: '/v1/probe-keys', body: { region, name } },
          { onDone: onRotated },
        ),
    });
  return (
    <SmallButton loading={isPending} onClick={ask} aria-label={`${TEXT.rotate} ${name}`}>
      {TEXT.rotate}
    </SmallButton>
  );
}
