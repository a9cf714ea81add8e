/** One row of the audit trail: who did what to which resource, with the changed fields. */
import { Anchor, Table, Text } from '@mantine/core';
import type { AuditEvent } from '../../../shared/data/api-types';
import { useSearchState } from '../../../shared/data/search';
import { AbsoluteTime } from '../../../shared/text/time';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import classes from '../settings.module.css';
import { fieldChanges } from './audit-diff';
import { type AuditRow, actorWords, describeEvent, findResourceName } from './audit-words';

interface AuditItemProps {
  readonly row: AuditRow;
  /** Names of existing resources, by id. */
  readonly names: ReadonlyMap<string, string>;
}

export function AuditItem({ row, names }: AuditItemProps) {
  const { event, events } = row;
  const { verb, object } = describeEvent(row, names);
  const { resourceId, actor } = event;
  const isOne = events.length === 1;
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td w={190} c="dimmed" visibleFrom="sm">
        <AbsoluteTime at={event.at} />
      </Table.Td>
      <Table.Td className={classes['deed'] ?? ''} title={event.ip ?? undefined}>
        <Text size="xs" c="dimmed" hiddenFrom="sm" flex="0 0 100%">
          <AbsoluteTime at={event.at} />
        </Text>
        <div>
          <FilterLink name="actor" value={actor.id} text={actorWords(actor)} /> {verb}{' '}
          {isOne && resourceId !== null && object !== '' ? (
            <FilterLink name="resourceId" value={resourceId} text={object} />
          ) : (
            <b>{object}</b>
          )}
        </div>
        {isOne ? <ChangedFields event={event} /> : <Members events={events} names={names} />}
      </Table.Td>
    </Table.Tr>
  );
}

function ChangedFields({ event }: { readonly event: AuditEvent }) {
  const { before, after, action, ip } = event;
  const changes = fieldChanges(before, after);
  if (changes.length === 0) return null;
  return (
    <details>
      <Text component="summary" size="xs" c="dimmed" style={{ cursor: 'pointer' }}>
        {changes.length === 1 ? '1 field' : `${changes.length} fields`}
      </Text>
      <Changes changes={changes} label={`Changes by ${action}`} />
      {ip !== null && (
        <Text size="xs" c="dimmed">
          Sent from {ip}
        </Text>
      )}
    </details>
  );
}

/** The resources that a bulk action changed, each linked to its own events. */
function Members({ events, names }: Pick<AuditRow, 'events'> & Pick<AuditItemProps, 'names'>) {
  return (
    <details>
      <Text component="summary" size="xs" c="dimmed" style={{ cursor: 'pointer' }}>
        Show all
      </Text>
      {events.map((event) => (
        <Text key={event.id} size="xs">
          <FilterLink
            name="resourceId"
            value={event.resourceId ?? ''}
            text={findResourceName(event, names)}
          />
        </Text>
      ))}
    </details>
  );
}

interface FilterLinkProps {
  readonly name: 'actor' | 'resourceId';
  readonly value: string;
  readonly text: string;
}

/** Filters the audit trail by this value. */
function FilterLink({ name, value, text }: FilterLinkProps) {
  const [, change] = useSearchState();
  return (
    <Anchor
      component="button"
      type="button"
      inherit
      fw={600}
      onClick={() => change({ [name]: value, cursor: undefined })}
      title={`Show only events of ${value}`}
      ta="start"
      style={{ overflowWrap: 'anywhere' }}
    >
      {text}
    </Anchor>
  );
}

interface ChangesProps {
  readonly changes: ReturnType<typeof fieldChanges>;
  readonly label: string;
}

function Changes({ changes, label }: ChangesProps) {
  return (
    <ScrollBox label={label} minWidth={420}>
      <Table fz="xs" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="22%">Field</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ name, before, after }) => (
            <Table.Tr key={name}>
              <Table.Td style={CELL}>{name}</Table.Td>
              <Table.Td style={CELL} className={classes['before']}>
                {before ?? '–'}
              </Table.Td>
              <Table.Td style={CELL} className={classes['after']}>
                {after ?? '–'}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

const CELL = { overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', verticalAlign: 'top' } as const;
