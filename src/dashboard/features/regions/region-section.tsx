/** One region: its state, checks and probes, and actions for operators. */
import { ActionIcon, Anchor, Group, Menu, Paper, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconClockExclamation,
  IconDots,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAct } from '../../shared/actions/use-act';
import { countWords as countChecks } from '../../shared/charts/counted';
import type { NewProbeKey, Region } from '../../shared/data/api-types';
import { useChecks } from '../../shared/data/checks';
import { confirm } from '../../shared/dialog/confirm';
import { formatDuration, RelativeTime } from '../../shared/text/time';
import { Heading } from '../../shared/ui/heading';
import { SmallBadge } from '../../shared/ui/small-badge';
import { ProbeList } from './probe-list';
import {
  countWords,
  findRegionState,
  formatRate,
  type RegionEntry,
  type RegionState,
} from './region-entries';
import classes from './regions.module.css';
import { TEXT } from './strings';

interface RegionSectionProps {
  readonly entry: RegionEntry;
  /** null for people who may not change keys. */
  readonly actions: {
    readonly addProbe: () => void;
    readonly onRotated: (key: NewProbeKey) => void;
  } | null;
}

export function RegionSection({ entry, actions }: RegionSectionProps) {
  const { id, region, probes } = entry;
  return (
    <Paper component="section" withBorder aria-label={id}>
      <Group justify="space-between" wrap="nowrap" gap="xs" className={classes['head'] ?? ''}>
        <Group gap="4px 10px" miw={0}>
          <Heading size="h5" style={{ overflowWrap: 'anywhere' }}>
            {id}
          </Heading>
          <StateBadge state={findRegionState(entry)} />
          {probes.length > 1 && <Text size="sm">{countWords(entry)}</Text>}
        </Group>
        {actions !== null && (
          <RegionMenu id={id} isKnown={region !== null} addProbe={actions.addProbe} />
        )}
      </Group>
      {region !== null && region.networkSuspectSince !== null && (
        <Text size="sm" px="md" pb="xs" c="var(--kw-degraded)">
          <IconAlertTriangle size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> Network
          problem in this region: its results are not counted (
          <RelativeTime at={region.networkSuspectSince} />)
        </Text>
      )}
      {region !== null && <RegionFacts region={region} />}
      {probes.length > 0 && <ProbeList entry={entry} onRotated={actions?.onRotated ?? null} />}
    </Paper>
  );
}

/** Shows how much the checks of the account use the region, and whether they wait for its probes. */
function RegionFacts({ region: { id, load, backlog, lastSeenAt } }: { readonly region: Region }) {
  return (
    <dl className={classes['facts']} aria-label={`Checks of ${id}`}>
      <Fact name="Used by">
        <CheckCount region={id} />
      </Fact>
      {load !== undefined && (
        <>
          <Fact name="Checks per minute">{formatRate(load.checksPerMinute)}</Fact>
          <Fact name="Last check">
            {load.lastCheckedAt === null ? 'None yet' : <RelativeTime at={load.lastCheckedAt} />}
          </Fact>
        </>
      )}
      {backlog !== undefined && lastSeenAt !== null && (
        <Fact name="Waiting for a probe">
          <Backlog backlog={backlog} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const STATES = {
  online: { text: 'Online', Icon: IconCircleCheckFilled, colour: 'var(--kw-up)' },
  partly: { text: 'Partly online', Icon: IconAlertTriangleFilled, colour: 'var(--kw-degraded)' },
  offline: { text: 'Offline', Icon: IconPlugConnectedX, colour: 'var(--kw-down)' },
  unconnected: { text: 'Not connected', Icon: IconCircleDashed, colour: 'var(--kw-quiet)' },
} as const;

function StateBadge({ state }: { readonly state: RegionState }) {
  const { text, Icon, colour } = STATES[state];
  return <SmallBadge text={text} icon={<Icon size={13} aria-hidden />} colour={colour} />;
}

/** Shows the number of checks that use the region, as a link to these checks. */
function CheckCount({ region }: { readonly region: string }) {
  const { checks } = useChecks();
  if (checks === undefined) return null;
  const count = checks.filter(({ regions }) => regions.includes(region)).length;
  if (count === 0) return 'None';
  return (
    <Anchor component={Link} to="/checks" search={{ region } as never} inherit>
      {countChecks(count, 'check')}
    </Anchor>
  );
}

/** Shows how many checks wait for the region's probes, and for how long. */
function Backlog({ backlog }: { readonly backlog: NonNullable<Region['backlog']> | null }) {
  if (backlog === null) return 'Unknown: Temporal is not responding';
  const { checks, oldestMs } = backlog;
  if (checks === 0) return 'None';
  return (
    <Text span inherit c="var(--kw-degraded)">
      <IconClockExclamation size={14} aria-hidden style={{ verticalAlign: '-2px' }} />{' '}
      {countChecks(checks, 'check')}, the oldest for {formatDuration(oldestMs / 1000)}
    </Text>
  );
}

interface RegionMenuProps {
  readonly id: string;
  /** False means that the region has probe keys but no encryption key yet. */
  readonly isKnown: boolean;
  readonly addProbe: () => void;
}

function RegionMenu({ id, isKnown, addProbe }: RegionMenuProps) {
  const { act, isPending } = useAct([]);
  const askToRotate = (): void =>
    confirm({
      title: `Rotate the encryption key of ${id}?`,
      text: 'This key encrypts what Keepwatch sends to the probes of the region. Rotate it after you revoke a probe that someone else may control, and replace the secrets that checks here use. Running probes fetch the new key within ten seconds, and checks go on. The old key can’t be restored.',
      action: 'Rotate',
      isHarmless: true,
      onConfirm: () =>
        act(
          { method: 'POST', path: '/v1/regions/rotate-key', body: { region: id } },
          { done: `Encryption key of ${id} rotated.` },
        ),
    });
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size={30}
          loading={isPending}
          aria-label={`Actions: ${id}`}
          style={{ flex: 'none' }}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={addProbe}>{TEXT.addProbe}</Menu.Item>
        {isKnown && <Menu.Item onClick={askToRotate}>{TEXT.rotateRegion}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
