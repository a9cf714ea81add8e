/** One maintenance window: its checks, its next occurrences in its own and the user's time zone, and its actions. */
import { Button, Table, Text } from '@mantine/core';
import { IconCalendarEvent, IconCircleCheck, IconTool } from '@tabler/icons-react';
import type { ComponentType, CSSProperties } from 'react';
import { isTargeted } from '../../../domain/definitions/is-targeted';
import { DeleteButton } from '../../shared/actions/delete-button';
import { MAINTENANCE_TOUCHES, useEndMaintenance } from '../../shared/actions/use-end-maintenance';
import { useNames } from '../../shared/alerts/use-named-checks';
import { countWords } from '../../shared/charts/counted';
import type { MaintenanceWindow } from '../../shared/data/api-types';
import { useChecks } from '../../shared/data/checks';
import { useCan } from '../../shared/data/session';
import { OWN_ZONE } from '../../shared/form/fields/time-zones';
import { MODE_WORDS } from '../../shared/text/strings';
import { formatDuration } from '../../shared/text/time';
import { CardItem } from '../../shared/ui/card-list';
import { Heading } from '../../shared/ui/heading';
import { ScrollBox } from '../../shared/ui/scroll-box';
import { SmallButton } from '../../shared/ui/small-button';
import { TableHead } from '../../shared/ui/table-head';
import classes from './maintenance.module.css';
import { recurrenceWords } from './recurrence-choice';
import { STATE_WORDS, TEXT } from './strings';
import { targetWords } from './window-draft';
import { instantInZone, spanInZone, spanNextToZone } from './zones';

const ICONS: Readonly<
  Record<MaintenanceWindow['state'], ComponentType<{ size?: number; style?: CSSProperties }>>
> = {
  active: IconTool,
  scheduled: IconCalendarEvent,
  over: IconCircleCheck,
};

interface WindowCardProps {
  readonly window: MaintenanceWindow;
  readonly onEdit: () => void;
}

export function WindowCard({ window, onEdit }: WindowCardProps) {
  const { name, state, mode, target, durationMinutes, rrule } = window;
  const mayWrite = useCan('write');
  const names = useNames(target.ids).map(({ label }) => label);
  const Icon = ICONS[state];
  return (
    <CardItem
      name={<Heading size="h5">{name}</Heading>}
      marks={
        <Text
          size="sm"
          fw={600}
          c={state === 'active' ? 'var(--kw-maintenance)' : 'var(--kw-quiet)'}
        >
          <Icon size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> {STATE_WORDS[state]}
        </Text>
      }
      actions={mayWrite && <Actions window={window} onEdit={onEdit} />}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {targetWords(target, names)}
        <Affected target={target} isOver={state === 'over'} />
      </Text>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {MODE_WORDS[mode]} · {recurrenceWords(rrule)}, for {formatDuration(durationMinutes * 60)}
      </Text>
      <Occurrences window={window} />
    </CardItem>
  );
}

interface AffectedProps extends Pick<MaintenanceWindow, 'target'> {
  readonly isOver: boolean;
}

/** Shows the number of affected checks. 0 may mean a mistyped tag or group. */
function Affected({ target, isOver }: AffectedProps) {
  const { checks } = useChecks();
  if (checks === undefined || target.all) return null;
  const count = checks.filter((check) => isTargeted(target, check)).length;
  return (
    <Text span inherit c={count === 0 && !isOver ? 'var(--kw-down)' : 'dimmed'}>
      {' · '}
      {countWords(count, 'check')}
    </Text>
  );
}

/** Shows the next occurrence. The later ones are in a disclosure. */
function Occurrences({ window }: Pick<WindowCardProps, 'window'>) {
  const { timeZone, startsAt, rrule, nextOccurrences } = window;
  const [next, ...later] = nextOccurrences;
  if (next === undefined) {
    return (
      <Text size="sm" c="dimmed">
        {rrule === null
          ? `Started ${instantInZone(startsAt, timeZone)} (${timeZone})`
          : 'No further occurrences.'}
      </Text>
    );
  }
  return (
    <>
      <OccurrenceTable window={window} shown={[next]} label="Next occurrence" />
      {later.length > 0 && (
        <details>
          <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
            {later.length} more
          </Text>
          <OccurrenceTable window={window} shown={later} label="Later occurrences" />
        </details>
      )}
    </>
  );
}

interface OccurrenceTableProps extends Pick<WindowCardProps, 'window'> {
  readonly shown: MaintenanceWindow['nextOccurrences'];
  readonly label: string;
}

/** Lists occurrences: one line each, or a table if the window's time zone is not the user's. */
function OccurrenceTable({ window: { name, timeZone }, shown, label }: OccurrenceTableProps) {
  const zones = [...new Set([timeZone, OWN_ZONE])];
  if (zones.length === 1)
    return shown.map((occurrence) => (
      <Text key={occurrence.startsAt} size="sm">
        {spanInZone(occurrence, timeZone)} ({timeZone})
      </Text>
    ));
  return (
    <ScrollBox label={`${label} of ${name}`}>
      <Table mt="xs" fz="sm" verticalSpacing={4}>
        <TableHead columns={zones.map((zone) => (zone === OWN_ZONE ? `${zone} (yours)` : zone))} />
        <Table.Tbody>
          {shown.map((occurrence) => (
            <Table.Tr key={occurrence.startsAt}>
              {zones.map((zone) => (
                <Table.Td key={zone} style={{ whiteSpace: 'nowrap' }}>
                  {zone === timeZone
                    ? spanInZone(occurrence, zone)
                    : spanNextToZone(occurrence, zone, timeZone)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function Actions({ window, onEdit }: WindowCardProps) {
  const { id, name, state, version } = window;
  const { end, isPending } = useEndMaintenance();
  return (
    <div className={classes['actions']}>
      {state === 'active' && (
        <Button
          size="xs"
          loading={isPending}
          onClick={() => end(window)}
          aria-label={`${TEXT.endNow}: ${name}`}
        >
          {TEXT.endNow}
        </Button>
      )}
      <SmallButton onClick={onEdit} aria-label={`Edit ${name}`}>
        Edit
      </SmallButton>
      <DeleteButton
        path={`/v1/maintenance-windows/${id}`}
        ifVersion={version}
        touches={MAINTENANCE_TOUCHES}
        label={`Delete ${name}`}
        question={{
          title: `Delete “${name}”?`,
          text: 'It will not recur, and maintenance in progress ends now.',
        }}
        done="Maintenance window deleted."
      />
    </div>
  );
}
