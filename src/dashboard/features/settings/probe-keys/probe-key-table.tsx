/** Probe keys grouped by region, when they were last used, and buttons to rotate and revoke them. */
import { Code, Group, Stack, Text } from '@mantine/core';
import { DeleteButton } from '../../../shared/actions/delete-button';
import { useAct } from '../../../shared/actions/use-act';
import type { NewProbeKey, ProbeKey } from '../../../shared/data/api-types';
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
  return (
    <Stack gap="lg">
      {regions.map((region) => (
        <section key={region} aria-label={region}>
          <Heading size="h5" mb="xs">
            {region}
          </Heading>
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

function RotateButton({ probeKey: { region, name }, onRotated }: KeyActionsProps) {
  const { act, isPending } = useAct<NewProbeKey>(PATHS);
  const ask = (): void =>
    confirm({
      title: `Rotate the key of “${name}”?`,
      text: 'You get a new key for the same region. The current one works until you revoke it, so that the probe can change over first.',
      action: TEXT.rotate,
      isHarmless: true,
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
