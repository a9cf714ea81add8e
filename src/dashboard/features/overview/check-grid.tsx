/** One square per check, in groups, and the number of checks per status. */
import { Card, Group, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconHelp,
  IconHourglass,
  IconPlayerPause,
  IconTool,
  IconX,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { WORST_FIRST } from '../../../contracts/check-list';
import type { ListedCheck, Status } from '../../shared/data/api-types';
import { checkPath } from '../../shared/data/check-type';
import { STATUS_WORDS } from '../../shared/text/strings';
import { Heading } from '../../shared/ui/heading';
import { StatusIcon } from '../../shared/ui/status';
import classes from './overview.module.css';

const MARKS = {
  down: IconX,
  degraded: IconAlertTriangle,
  unknown: IconHelp,
  pending: IconHourglass,
  maintenance: IconTool,
  paused: IconPlayerPause,
} as const;

/** Up to this number of checks, each square has its name next to it. */
const NAMED_MAX = 30;

export function CheckGrid({ checks }: { readonly checks: readonly ListedCheck[] }) {
  const groups = groupChecks(checks);
  const isNamed = checks.length <= NAMED_MAX;
  return (
    <Card component="section" withBorder aria-label="All checks">
      <Group justify="space-between" mb="sm" gap="xs">
        <Heading>All checks</Heading>
        <Counts checks={checks} />
      </Group>
      <div className={classes['groups']}>
        {groups.map(([name, members]) => (
          <div key={name} className={classes['group']}>
            <Text size="xs" c="dimmed" truncate title={name}>
              {name}
            </Text>
            <ul className={classes['squares']} data-named={isNamed || undefined}>
              {members.map((check) => (
                <li key={check.id}>
                  <Square check={check} isNamed={isNamed} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Card>
  );
}

interface SquareProps {
  readonly check: ListedCheck;
  readonly isNamed: boolean;
}

function Square({ check, isNamed }: SquareProps) {
  const { name, status } = check;
  const label = `${name}: ${STATUS_WORDS[status]}`;
  const Mark = status === 'up' ? null : MARKS[status];
  return (
    <Link to={checkPath(check)} className={classes['check'] ?? ''} aria-label={label} title={label}>
      <span className={classes['square']} data-status={status}>
        {Mark !== null && <Mark size={14} stroke={2.5} aria-hidden />}
      </span>
      {isNamed && <span className={classes['check-name']}>{name}</span>}
    </Link>
  );
}

/** Shows the number of checks per status. Each number is a link to the list of those checks. */
function Counts({ checks }: { readonly checks: readonly ListedCheck[] }) {
  const counts = WORST_FIRST.map(
    (status) => [status, checks.filter((check) => check.status === status).length] as const,
  );
  return (
    <Group component="ul" gap="md" className={classes['counts'] ?? ''}>
      {counts
        .filter(([, count]) => count > 0)
        .map(([status, count]) => (
          <li key={status}>
            <CountLink status={status} count={count} />
          </li>
        ))}
    </Group>
  );
}

function CountLink({ status, count }: { readonly status: Status; readonly count: number }) {
  return (
    <Link to="/checks" search={{ status } as never} className={classes['count'] ?? ''}>
      <span aria-hidden>
        <StatusIcon status={status} size={15} />
      </span>
      {count} {STATUS_WORDS[status].toLowerCase()}
    </Link>
  );
}

/** Groups the checks and sorts them by name, so that each square keeps its position. */
function groupChecks(
  checks: readonly ListedCheck[],
): readonly (readonly [string, ListedCheck[]])[] {
  const groups = new Map<string, ListedCheck[]>();
  for (const check of checks.toSorted((left, right) => left.name.localeCompare(right.name))) {
    const members = groups.get(check.groupKey);
    if (members === undefined) groups.set(check.groupKey, [check]);
    else members.push(check);
  }
  return [...groups].toSorted(([left], [right]) => left.localeCompare(right));
}
