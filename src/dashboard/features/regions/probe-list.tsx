/** The probes of a region as a table: the state and version of each, and buttons for their keys. */

import { Button, Code, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { DeleteButton } from '../../shared/actions/delete-button';
import { useAct } from '../../shared/actions/use-act';
import type { NewProbeKey, ProbeKey } from '../../shared/data/api-types';
import { confirm } from '../../shared/dialog/confirm';
import { Dialog } from '../../shared/dialog/dialog';
import { RelativeTime } from '../../shared/text/time';
import { SmallButton } from '../../shared/ui/small-button';
import { StartProbe } from '../../shared/ui/start-probe';
import type { ProbeEntry, RegionEntry } from './region-entries';
import classes from './regions.module.css';
import { TEXT } from './strings';

const KEY_PLACEHOLDER = 'PROBE_KEY';

interface StartCommandProps {
  readonly name: string;
  readonly onClose: () => void;
}

/** Shows the commands that start a probe, with a placeholder for its key. */
function StartCommand({ name, onClose }: StartCommandProps) {
  return (
    <Dialog title={`Start the probe “${name}”`} size="lg" onClose={onClose}>
      <Stack>
        <Text size="sm">
          Replace <Code>{KEY_PLACEHOLDER}</Code> with the key of the probe. If you no longer have
          it, rotate the key to get a new one.
        </Text>
        <StartProbe probeKey={KEY_PLACEHOLDER} />
        <Button onClick={onClose} style={{ alignSelf: 'flex-end' }}>
          Done
        </Button>
      </Stack>
    </Dialog>
  );
}

const PATHS = ['/v1/probe-keys', '/v1/regions'];

interface ProbeListProps {
  readonly entry: RegionEntry;
  /** null for people who may not change keys. */
  readonly onRotated: ((key: NewProbeKey) => void) | null;
}

const COLUMNS = ['Probe', 'State', 'Last seen', 'Version'] as const;

export function ProbeList({ entry: { id, probes }, onRotated }: ProbeListProps) {
  const hasActions = onRotated !== null && probes.some(({ key }) => key !== null);
  return (
    <Table
      className={classes['probes'] ?? ''}
      fz="sm"
      verticalSpacing={8}
      aria-label={`Probes of ${id}`}
    >
      <Table.Thead>
        <Table.Tr>
          {COLUMNS.map((column) => (
            <Table.Th key={column}>{column}</Table.Th>
          ))}
          {hasActions && (
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {probes.map((probe) => (
          <Table.Tr key={probe.id}>
            <ProbeCells probe={probe} />
            {hasActions && (
              <Table.Td className={classes['actions'] ?? ''}>
                {probe.key !== null && <KeyActions probe={probe.key} onRotated={onRotated} />}
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function ProbeCells({ probe }: { readonly probe: ProbeEntry }) {
  const { key, seenAt, isBuiltIn, releases } = probe;
  const lastAt = seenAt ?? key?.lastUsedAt ?? null;
  return (
    <>
      <Table.Th scope="row">
        {nameProbe(probe)}
        {isBuiltIn && (
          <Text span inherit c="dimmed" fw={400}>
            {' '}
            · runs inside Keepwatch
          </Text>
        )}
      </Table.Th>
      <Table.Td>
        <ProbeState isOnline={seenAt !== null} wasSeen={lastAt !== null} />
      </Table.Td>
      <Table.Td data-label="Last seen">
        <RelativeTime at={lastAt} />
      </Table.Td>
      <Table.Td data-label="Version">{releases.length > 0 ? releases.join(', ') : '–'}</Table.Td>
    </>
  );
}

function nameProbe({ key, isBuiltIn }: ProbeEntry): string {
  if (key !== null) return key.name;
  return isBuiltIn ? 'Built-in' : 'Probe';
}

interface ProbeStateProps {
  readonly isOnline: boolean;
  readonly wasSeen: boolean;
}

function ProbeState({ isOnline, wasSeen }: ProbeStateProps) {
  if (!wasSeen) return <span className={classes['state']}>Not connected yet</span>;
  return (
    <span className={classes['state']} data-tone={isOnline ? 'up' : 'down'}>
      {isOnline ? 'Online' : 'Offline'}
    </span>
  );
}

interface KeyActionsProps {
  readonly probe: ProbeKey;
  readonly onRotated: (key: NewProbeKey) => void;
}

function KeyActions({ probe, onRotated }: KeyActionsProps) {
  const { id, name, lastUsedAt } = probe;
  const [isStartShown, setIsStartShown] = useState(false);
  return (
    <>
      {lastUsedAt === null && (
        <SmallButton
          onClick={() => setIsStartShown(true)}
          aria-label={`${TEXT.showStart} of ${name}`}
        >
          {TEXT.showStart}
        </SmallButton>
      )}
      {isStartShown && <StartCommand name={name} onClose={() => setIsStartShown(false)} />}
      <RotateButton probe={probe} onRotated={onRotated} />
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
    </>
  );
}

function RotateButton({ probe: { region, name }, onRotated }: KeyActionsProps) {
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
