/** One row of the audit trail: the time, the actor, the action, the resource, and the changed fields. */
import { Anchor, Table, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { AuditEvent } from '../../../shared/data/api-types';
import { absolute, clockSeconds } from '../../../shared/text/time-text';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { SmallButton } from '../../../shared/ui/small-button';
import classes from './audit.module.css';
import {
  cutOff,
  type FieldChange,
  fieldChanges,
  fieldWords,
  isLong,
  summariseEvent,
} from './audit-diff';
import { type AuditRow, actorWords, describeEvent, findResourceName } from './audit-words';

const CHANGES_SHOWN = 8;

interface AuditItemProps {
  readonly row: AuditRow;
  /** Names of existing resources, by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** A row of one line. Its button covers the whole row, so that a press anywhere opens the row. */
export function AuditItem({ row, names }: AuditItemProps) {
  const { event, events } = row;
  const { verb, object } = describeEvent(row, names);
  const { resourceId, actor, at } = event;
  const [isOpen, { toggle }] = useDisclosure(false);
  const detailsId = useId();
  const isOne = events.length === 1;
  const summary = isOne ? summariseEvent(event) : null;
  const words = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
  return (
    <li className={classes['row']} data-open={isOpen || undefined}>
      <time dateTime={at} title={absolute(at)} className={classes['time']}>
        {clockSeconds(at)}
      </time>
      <div className={classes['actor']} title={actorWords(actor)}>
        {actorWords(actor)}
      </div>
      <div className={classes['what']}>
        {words}{' '}
        {isOne && resourceId !== null && object !== '' ? (
          <ResourceLink id={resourceId} text={object} />
        ) : (
          <span className={classes['object']}>{object}</span>
        )}
        {summary !== null && <span className={classes['summary']}>{summary}</span>}
      </div>
      {hasDetails(row) && (
        <UnstyledButton
          className={classes['toggle'] ?? ''}
          onClick={toggle}
          aria-expanded={isOpen}
          aria-controls={isOpen ? detailsId : undefined}
          aria-label={`Details: ${`${words} ${object}`.trim()}, ${clockSeconds(at)}`}
        >
          <IconChevronDown size={16} aria-hidden />
        </UnstyledButton>
      )}
      {isOpen && (
        <div id={detailsId} className={classes['details']}>
          {isOne ? <ChangedFields event={event} /> : <Members events={events} names={names} />}
        </div>
      )}
    </li>
  );
}

function hasDetails({ event, events }: AuditRow): boolean {
  const { before, after, ip } = event;
  return events.length > 1 || ip !== null || fieldChanges(before, after).length > 0;
}

function ChangedFields({ event }: { readonly event: AuditEvent }) {
  const { before, after, action, ip } = event;
  const changes = fieldChanges(before, after);
  return (
    <>
      {changes.length > 0 && <Changes changes={changes} label={`Changes by ${action}`} />}
      {ip !== null && (
        <Text size="xs" c="dimmed">
          Sent from {ip}
        </Text>
      )}
    </>
  );
}

/** Lists the resources that a bulk action changed. Each entry is a link to the audit events of its resource. */
function Members({ events, names }: Pick<AuditRow, 'events'> & Pick<AuditItemProps, 'names'>) {
  return events.map((event) => (
    <Text key={event.id} size="xs">
      <ResourceLink id={event.resourceId ?? ''} text={findResourceName(event, names)} />
    </Text>
  ));
}

/** A link that limits the trail to the events of this resource. */
function ResourceLink({ id, text }: { readonly id: string; readonly text: string }) {
  const search = (before: object) => ({ ...before, resourceId: id, cursor: undefined });
  return (
    <Anchor
      component={Link}
      to="."
      search={search as never}
      inherit
      className={`${classes['object']} ${classes['link']}`}
      title={`Show only events of ${text}`}
    >
      {text}
    </Anchor>
  );
}

interface ChangesProps {
  readonly changes: readonly FieldChange[];
  readonly label: string;
}

/** Shows the changes. Long values and long lists of changes are cut off until the user asks for all of them. */
function Changes({ changes, label }: ChangesProps) {
  const [isWhole, { open }] = useDisclosure(false);
  const shown = isWhole ? changes : changes.slice(0, CHANGES_SHOWN);
  const isCut =
    shown.length < changes.length ||
    shown.some(({ before, after }) => isLong(before) || isLong(after));
  return (
    <>
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
            {shown.map(({ name, before, after }) => (
              <Table.Tr key={name}>
                <Table.Td style={CELL} title={name}>
                  {fieldWords(name)}
                </Table.Td>
                <Table.Td style={CELL} c="var(--kw-down)">
                  {isWhole ? (before ?? '–') : cutOff(before)}
                </Table.Td>
                <Table.Td style={CELL} c="var(--kw-up)">
                  {isWhole ? (after ?? '–') : cutOff(after)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {isCut && !isWhole && (
        <SmallButton onClick={open} my={4}>
          {changes.length > CHANGES_SHOWN ? `Show all ${changes.length} changes` : 'Show all'}
        </SmallButton>
      )}
    </>
  );
}

const CELL = { overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', verticalAlign: 'top' } as const;
