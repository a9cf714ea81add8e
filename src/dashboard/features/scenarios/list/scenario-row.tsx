/** One scenario of the list: status, name, how often, its last runs, and what can be done to it. */
import { ActionIcon, Badge, Menu, Text } from '@mantine/core';
import { IconDots, IconPlayerPlay, IconRoute } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { WriteItems } from '../../../shared/actions/write-items';
import type { ListedScenario } from '../../../shared/data/api-types';
import { useCan } from '../../../shared/data/session';
import { everyWords, RelativeTime } from '../../../shared/text/time';
import { Heartbeats } from '../../../shared/ui/heartbeats';
import { NoAlertsBadge } from '../../../shared/ui/no-alerts-badge';
import { StatusIcon } from '../../../shared/ui/status';
import { useRunNow } from '../page/use-run-now';
import { ACTION_TEXT } from '../strings';
import classes from './scenarios.module.css';

export function ScenarioRow({ scenario }: { readonly scenario: ListedScenario }) {
  const { id, name, status, recent, tags, steps, interval, regions, lastCheckedAt } = scenario;
  const count = steps.length === 1 ? '1 step' : `${steps.length} steps`;
  return (
    <li className={classes['row']} data-row={id}>
      <StatusIcon status={status} />
      <div className={classes['name']}>
        <Link to={`/scenarios/${id}`} className={classes['link']}>
          {name}
        </Link>
        <NoAlertsBadge alerts={scenario.alerts} />
        {tags.map((tag) => (
          <Badge key={tag} size="xs" variant="default" tt="none" ml={6}>
            {tag}
          </Badge>
        ))}
        <Text size="xs" c="dimmed">
          {count} · {everyWords(interval)} · {regions.join(', ')}
        </Text>
      </div>
      <div className={classes['beats']}>
        {recent !== undefined && <Heartbeats beats={recent} />}
      </div>
      <Text size="xs" c="dimmed" className={classes['last'] ?? ''}>
        <RelativeTime at={lastCheckedAt} />
      </Text>
      <RowMenu scenario={scenario} />
    </li>
  );
}

function RowMenu({ scenario }: { readonly scenario: ListedScenario }) {
  const canRun = useCan('run');
  const canWrite = useCan('write');
  const run = useRunNow();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${ACTION_TEXT.actions}: ${scenario.name}`}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to={`/scenarios/${scenario.id}`}
          leftSection={<IconRoute size={16} aria-hidden />}
        >
          {ACTION_TEXT.open}
        </Menu.Item>
        {canRun && (
          <Menu.Item
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            onClick={() => run(scenario)}
          >
            {ACTION_TEXT.run}
          </Menu.Item>
        )}
        {canWrite && <WriteItems kind="scenarios" resource={scenario} />}
      </Menu.Dropdown>
    </Menu>
  );
}
