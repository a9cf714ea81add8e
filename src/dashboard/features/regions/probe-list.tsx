/** The probes of a region: the state and version of each, and buttons for their keys. */
import { Anchor, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { DeleteButton } from '../../shared/actions/delete-button';
import { useAct } from '../../shared/actions/use-act';
import type { NewProbeKey, ProbeKey } from '../../shared/data/api-types';
import { confirm } from '../../shared/dialog/confirm';
import { RelativeTime } from '../../shared/text/time';
import { SmallButton } from '../../shared/ui/small-button';
import classes from './probe-list.module.css';
import type { ProbeEntry, RegionEntry } from './region-entries';
import { StartCommand } from './start-command';
import { TEXT } from './strings';

const PATHS = ['/v1/probe-keys', '/v1/regions'];

interface ProbeListProps {
  readonly entry: RegionEntry;
  /** null for people who may not change keys. */
  readonly onRotated: ((key: NewProbeKey) => void) | null;
}

export function ProbeList({ entry: { id, probes }, onRotated }: ProbeListProps) {
  return (
    <ul className={classes['list']} aria-label={`Probes of ${id}`}>
      {probes.map((probe) => (
        <li key={probe.id} className={classes['probe']}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {nameProbe(probe)}
          </Text>
          <ProbeState probe={probe} mayStart={onRotated !== null} />
          <Text size="sm" c="dimmed">
            {probe.releases.length > 0 && `Version ${probe.releases.join(', ')}`}
          </Text>
          <div className={classes['actions']}>
            {probe.isBuiltIn && (
              <Text size="sm" c="dimmed">
                Runs inside Keepwatch
              </Text>
            )}
            {probe.key !== null && onRotated !== null && (
              <KeyActions probeKey={probe.key} onRotated={onRotated} />
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function nameProbe({ key, isBuiltIn }: ProbeEntry): string {
  if (key !== null) return key.name;
  return isBuiltIn ? 'Built-in' : 'Probe';
}

interface ProbeStateProps {
  readonly probe: ProbeEntry;
  /** True for people who may create keys. */
  readonly mayStart: boolean;
}

/** `Online`, `Last seen 3 h ago`, or `Not connected yet` with its start command. */
function ProbeState({ probe: { key, seenAt }, mayStart }: ProbeStateProps) {
  const [isShown, setIsShown] = useState(false);
  if (seenAt !== null)
    return (
      <div className={classes['state']} data-tone="up">
        Online
        <Text span inherit c="dimmed">
          , last seen <RelativeTime at={seenAt} />
        </Text>
      </div>
    );
  if (key !== null && key.lastUsedAt !== null)
    return (
      <div className={classes['state']} data-tone="down">
        Last seen <RelativeTime at={key.lastUsedAt} />
      </div>
    );
  return (
    <div className={classes['state']}>
      Not connected yet
      {mayStart && key !== null && (
        <Anchor
          component="button"
          type="button"
          inherit
          ml="xs"
          onClick={() => setIsShown(true)}
          aria-label={`${TEXT.showStart} of ${key.name}`}
        >
          {TEXT.showStart}
        </Anchor>
      )}
      {isShown && key !== null && (
        <StartCommand name={key.name} onClose={() => setIsShown(false)} />
      )}
    </div>
  );
}

interface KeyActionsProps {
  readonly probeKey: ProbeKey;
  readonly onRotated: (key: NewProbeKey) => void;
}

function KeyActions({ probeKey, onRotated }: KeyActionsProps) {
  const { id, name } = probeKey;
  return (
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
