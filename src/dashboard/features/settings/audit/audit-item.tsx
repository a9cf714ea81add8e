/** One row of the audit trail: when who did what to which resource, with the changed fields. */
import { Anchor, Table, Text } from '@mantine/core';
import type { AuditEvent } from '../../../shared/data/api-types';
import { useSearchState } from '../../../shared/data/search';
import { absolute, clockSeconds } from '../../../shared/text/time-text';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import classes from './audit.module.css';
import { type FieldChange, fieldChanges, summariseChanges } from './audit-diff';
import { type AuditRow, actorWords, describeEvent, findResourceName } from './audit-words';

interface AuditItemProps {
  readonly row: AuditRow;
  /** Names of existing resources, by id. */
  readonly names: ReadonlyMap<string, string>;
}

export function AuditItem({ row, names }: AuditItemProps) {
  const { event, events } = row;
  const { verb, object } = describeEvent(row, names);
  const { resourceId, actor, at } = event;
  const isOne = events.length === 1;
  return (
    <li className={classes['row']}>
      <time dateTime={at} title={absolute(at)} className={classes['time']}>
        {clockSeconds(at)}
      </time>
      <div className={classes['deed']}>
        {verb.charAt(0).toUpperCase()}
        {verb.slice(1)}{' '}
        {isOne && resourceId !== null && object !== '' ? (
          <ResourceLink id={resourceId} text={object} />
        ) : (
          <b>{object}</b>
        )}
      </div>
      <div className={classes['actor']}>{actorWords(actor)}</div>
      {isOne ? <ChangedFields event={event} /> : <Members events={events} names={names} />}
    </li>
  );
}

/** Its summary covers the whole row, so that the row opens wherever it is pressed. */
function ChangedFields({ event }: { readonly event: AuditEvent }) {
  const { before, after, action, ip } = event;
  const changes = fieldChanges(before, after);
  if (changes.length === 0 && ip === null) return null;
  return (
    <details className={classes['details']}>
      <summary>{summariseChanges(before, after) ?? 'Details'}</summary>
      <div className={classes['open']}>
        {changes.length > 0 && <Changes changes={changes} label={`Changes by ${action}`} />}
        {ip !== null && (
          <Text size="xs" c="dimmed">
            Sent from {ip}
          </Text>
        )}
      </div>
    </details>
  );
}

/** The resources that a bulk action changed, each linked to its own events. */
function Members({ events, names }: Pick<AuditRow, 'events'> & Pick<AuditItemProps, 'names'>) {
  return (
    <details className={classes['details']}>
      <summary>Show all</summary>
      <div className={classes['open']}>
        {events.map((event) => (
          <Text key={event.id} size="xs">
            <ResourceLink id={event.resourceId ?? ''} text={findResourceName(event, names)} />
          </Text>
        ))}
      </div>
    </details>
  );
}

/** Shows only the events of this resource. */
function ResourceLink({ id, text }: { readonly id: string; readonly text: string }) {
  const [, change] = useSearchState();
  return (
    <Anchor
      component="button"
      type="button"
      inherit
      fw={600}
      className={classes['link'] ?? ''}
      onClick={() => change({ resourceId: id, cursor: undefined })}
      title={`Show only events of ${id}`}
      ta="start"
    >
      {text}
    </Anchor>
  );
}

interface ChangesProps {
  readonly changes: readonly FieldChange[];
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
              <Table.Td style={CELL} c="var(--kw-down)">
                {before ?? '–'}
              </Table.Td>
              <Table.Td style={CELL} c="var(--kw-up)">
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
