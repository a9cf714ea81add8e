/** One event of the trail, with what it changed. */
import { Anchor, Code, Paper, Table, Text } from '@mantine/core';
import type { AuditEvent } from '../../../shared/data/api-types';
import { useSearchState } from '../../../shared/data/search';
import { AbsoluteTime, RelativeTime } from '../../../shared/text/time';
import { CardHead } from '../../../shared/ui/card-list';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import classes from '../settings.module.css';
import { fieldChanges } from './audit-diff';

export function AuditItem({ event }: { readonly event: AuditEvent }) {
  const { at, actor, action, resourceType, resourceId, before, after, ip } = event;
  const changes = fieldChanges(before, after);
  return (
    <Paper component="li" withBorder p="sm">
      <CardHead
        actions={
          <Text size="xs" c="dimmed">
            <RelativeTime at={at} />
          </Text>
        }
      >
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Code>{action}</Code> by <FilterLink name="actor" value={actor.id} text={actor.name} />
        </Text>
      </CardHead>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {resourceType}{' '}
        {resourceId !== null && (
          <FilterLink name="resourceId" value={resourceId} text={resourceId} />
        )}{' '}
        · <AbsoluteTime at={at} />
        {ip !== null && ` · ${ip}`}
      </Text>
      {changes.length > 0 && (
        <details>
          <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
            {changes.length === 1 ? '1 field' : `${changes.length} fields`}
          </Text>
          <Changes changes={changes} label={`Changes by ${action}`} />
        </details>
      )}
    </Paper>
  );
}

interface FilterLinkProps {
  readonly name: 'actor' | 'resourceId';
  readonly value: string;
  readonly text: string;
}

/** Narrows the trail to this one. */
function FilterLink({ name, value, text }: FilterLinkProps) {
  const [, change] = useSearchState();
  return (
    <Anchor
      component="button"
      type="button"
      inherit
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
