/** One scenario of the list: status, name, how often, its last runs, and what can be done to it. */
import { ActionIcon, Badge, Menu, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ListedScenario } from '../../shared/api-types';
import { Heartbeats } from '../../shared/heartbeats';
import { StatusIcon } from '../../shared/status';
import { everyWords, RelativeTime } from '../../shared/time';
import { ScenarioMenuItems } from './scenario-menu';
import classes from './scenarios.module.css';
import { LIST_TEXT } from './strings';

export function ScenarioRow({ scenario }: { readonly scenario: ListedScenario }) {
  const { id, name, status, recent, tags, steps, interval, regions, lastCheckedAt } = scenario;
  const count = steps.length === 1 ? '1 step' : `${steps.length} steps`;
  return (
    <li className={classes['row']}>
      <StatusIcon status={status} />
      <div className={classes['name']}>
        <Link to={`/scenarios/${id}`} className={classes['link']}>
          {name}
        </Link>
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
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`${LIST_TEXT.actions}: ${name}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ScenarioMenuItems scenario={scenario} isRow />
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}
