/** The probes of a region: their versions, when they were last seen, and buttons for their keys. */
import { Group, Text } from '@mantine/core';
import { DeleteButton } from '../../shared/actions/delete-button';
import { useAct } from '../../shared/actions/use-act';
import type { NewProbeKey, ProbeKey } from '../../shared/data/api-types';
import { confirm } from '../../shared/dialog/confirm';
import { RowTable } from '../../shared/list/row-table';
import { RelativeTime } from '../../shared/text/time';
import { SmallButton } from '../../shared/ui/small-button';
import type { ProbeEntry, RegionEntry } from './region-entries';
import { TEXT } from './strings';

const PATHS = ['/v1/probe-keys', '/v1/regions'];

interface ProbeTableProps {
  readonly entry: RegionEntry;
  /** null for people who may not change keys. */
  readonly onRotated: ((key: NewProbeKey) => void) | null;
}

export function ProbeTable({ entry: { id, probes }, onRotated }: ProbeTableProps) {
  return (
    <RowTable
      label={`Probes of ${id}`}
      rows={probes}
      isEven
      columns={{
        Probe: (probe) => (
          <Text size="sm" fw={600}>
            {nameProbe(probe)}
          </Text>
        ),
        Version: ({ releases }) => (releases.length === 0 ? '–' : releases.join(', ')),
        'Last seen': (probe) => <LastSeen probe={probe} />,
        ...(onRotated === null
          ? {}
          : {
              Action: ({ key }: ProbeEntry) =>
                key === null ? null : <KeyActions probeKey={key} onRotated={onRotated} />,
            }),
      }}
    />
  );
}

function nameProbe({ key, isBuiltIn }: ProbeEntry): string {
  if (key !== null) return key.name;
  return isBuiltIn ? 'Built-in' : 'Probe';
}

function LastSeen({ probe: { key, seenAt } }: { readonly probe: ProbeEntry }) {
  if (seenAt !== null) return <RelativeTime at={seenAt} />;
  if (key === null || key.lastUsedAt === null) return 'Not started yet';
  return (
    <Text span inherit c="var(--kw-down)">
      Offline, last seen <RelativeTime at={key.lastUsedAt} />
    </Text>
  );
}

interface KeyActionsProps {
  readonly probeKey: ProbeKey;
  readonly onRotated: (key: NewProbeKey) => void;
}

function KeyActions({ probeKey, onRotated }: KeyActionsProps) {
  const { id, name } = probeKey;
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
    <SmallButton loading={isPending} onClick={ask} aria-label={`${TEXT.rotate} of ${name}`}>
      {TEXT.rotate}
    </SmallButton>
  );
}
