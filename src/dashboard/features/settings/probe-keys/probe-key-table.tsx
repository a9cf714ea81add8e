/** Probe keys grouped by region, when they were last used, and buttons to rotate and revoke them. */
import { Code, Group, Stack, Text } from '@mantine/core';
import { DeleteButton } from '../../../shared/actions/delete-button';
import { useAct } from '../../../shared/actions/use-act';
import type { NewProbeKey, Page, ProbeKey, Region } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { confirm } from '../../../shared/dialog/confirm';
import { RowTable } from '../../../shared/list/row-table';
import { RelativeTime } from '../../../shared/text/time';
import { Heading } from '../../../shared/ui/heading';
import { SmallButton } from '../../../shared/ui/small-button';
import { TEXT } from './strings';

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
          <RowTable
            label={`Probe keys of ${region}`}
            rows={keys.filter((key) => key.region === region)}
            columns={{
              Name: ({ id, name }) => (
                <>
                  <Text size="sm" fw={600}>
                    {name}
                  </Text>
                  <Code>{id}</Code>
                </>
              ),
              'Last used': ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
              Created: ({ createdAt }) => <RelativeTime at={createdAt} />,
              Action: (key) => <KeyActions probeKey={key} onRotated={onRotated} />,
            }}
          />
        </section>
      ))}
    </Stack>
  );
}

interface KeyActionsProps {
  readonly probeKey: ProbeKey;
  readonly onRotated: (key: NewProbeKey) => void;
}

function KeyActions({ probeKey, onRotated }: KeyActionsProps) {
  const { id, name, revokedAt } = probeKey;
  if (revokedAt !== null) return 'Revoked';
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
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

function RotateButton({ probeKey: { region, name }, onRotated }: KeyActionsProps) {
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
