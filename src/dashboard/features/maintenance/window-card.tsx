/** One maintenance window: its checks, its next occurrences in its own and the user's time zone, and its actions. */
import { Button, Group, Table, Text } from '@mantine/core';
import { IconCalendarEvent, IconCircleCheck, IconTool } from '@tabler/icons-react';
import type { ComponentType, CSSProperties } from 'react';
import { isTargeted } from '../../../domain/definitions/is-targeted';
import { DeleteButton } from '../../shared/actions/delete-button';
import { useAct } from '../../shared/actions/use-act';
import { useNames } from '../../shared/alerts/use-named-checks';
import { countWords } from '../../shared/charts/counted';
import type { MaintenanceWindow } from '../../shared/data/api-types';
import { useChecks } from '../../shared/data/checks';
import { useCan } from '../../shared/data/session';
import { OWN_ZONE } from '../../shared/form/time-zones';
import { absolute, formatDuration } from '../../shared/text/time';
import { CardItem } from '../../shared/ui/card-list';
import { Heading } from '../../shared/ui/heading';
import { ScrollBox } from '../../shared/ui/scroll-box';
import { SmallButton } from '../../shared/ui/small-button';
import { TableHead } from '../../shared/ui/table-head';
import { recurrenceWords } from './recurrence-choice';
import { MODE_WORDS, STATE_WORDS, TEXT } from './strings';
import { targetWords } from './window-draft';
import { TOUCHED } from './window-form';
import { spanInZone, spanNextToZone } from './zones';

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

function Occurrences({ window }: Pick<WindowCardProps, 'window'>) {
  const { name, timeZone, startsAt, rrule, nextOccurrences } = window;
  if (nextOccurrences.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {rrule === null ? `Started ${absolute(startsAt)}` : 'No further occurrences.'}
      </Text>
    );
  }
  const zones = [...new Set([timeZone, OWN_ZONE])];
  if (zones.length === 1)
    return nextOccurrences.map((occurrence) => (
      <Text key={occurrence.startsAt} size="sm">
        {spanInZone(occurrence, timeZone)} ({timeZone})
      </Text>
    ));
  return (
    <ScrollBox label={`Next occurrences of ${name}`}>
      <Table mt="xs" fz="sm" verticalSpacing={4}>
        <TableHead columns={zones.map((zone) => (zone === OWN_ZONE ? `${zone} (yours)` : zone))} />
        <Table.Tbody>
          {nextOccurrences.map((occurrence) => (
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
  const { act, isPending } = useAct(TOUCHED);
  const path = `/v1/maintenance-windows/${id}`;
  const end = (): void =>
    act({ method: 'POST', path: `${path}/end`, body: {} }, { done: 'Maintenance ended.' });
  return (
    <Group gap="xs">
      {state === 'active' && (
        <Button size="xs" loading={isPending} onClick={end} aria-label={`${TEXT.endNow}: ${name}`}>
          {TEXT.endNow}
        </Button>
      )}
      <SmallButton onClick={onEdit} aria-label={`Edit ${name}`}>
        Edit
      </SmallButton>
      <DeleteButton
        path={path}
        ifVersion={version}
        touches={TOUCHED}
        label={`Delete ${name}`}
        question={{
          title: `Delete “${name}”?`,
          text: 'It will not recur, and maintenance in progress ends now.',
        }}
        done="Maintenance window deleted."
      />
    </Group>
  );
}
