/** What can be done to a scenario. Shows nothing that would be refused. */
import { Menu } from '@mantine/core';
import {
  IconCopy,
  IconEdit,
  IconPlayerPause,
  IconPlayerPlay,
  IconRoute,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Scenario } from '../../shared/api-types';
import { useCan } from '../../shared/session';
import { ACTION_TEXT, PAUSES } from './strings';
import { useScenarioActions } from './use-scenario-actions';

interface ScenarioMenuItemsProps {
  readonly scenario: Pick<Scenario, 'id' | 'name' | 'state'>;
  /** On the page of the scenario itself there is nothing to open, and buttons for the rest. */
  readonly isRow: boolean;
}

export function ScenarioMenuItems({ scenario, isRow }: ScenarioMenuItemsProps) {
  const canRun = useCan('run');
  const canWrite = useCan('write');
  const { run } = useScenarioActions();
  return (
    <>
      {isRow && (
        <Menu.Item
          component={Link}
          to={`/scenarios/${scenario.id}`}
          leftSection={<IconRoute size={16} aria-hidden />}
        >
          {ACTION_TEXT.open}
        </Menu.Item>
      )}
      {isRow && canRun && (
        <Menu.Item
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={() => run(scenario)}
        >
          {ACTION_TEXT.run}
        </Menu.Item>
      )}
      {canWrite && <WriteItems scenario={scenario} isRow={isRow} />}
    </>
  );
}

function WriteItems({ scenario, isRow }: ScenarioMenuItemsProps) {
  const { pause, resume, remove } = useScenarioActions();
  return (
    <>
      {isRow && (
        <Menu.Item
          component={Link}
          to={`/scenarios/${scenario.id}/edit`}
          leftSection={<IconEdit size={16} aria-hidden />}
        >
          {ACTION_TEXT.edit}
        </Menu.Item>
      )}
      <Menu.Item
        component={Link}
        to="/scenarios/new"
        search={{ from: scenario.id } as never}
        leftSection={<IconCopy size={16} aria-hidden />}
      >
        {ACTION_TEXT.duplicate}
      </Menu.Item>
      {scenario.state === 'paused' ? (
        <Menu.Item
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={() => resume(scenario)}
        >
          {ACTION_TEXT.resume}
        </Menu.Item>
      ) : (
        <>
          <Menu.Label>{ACTION_TEXT.pause}</Menu.Label>
          {PAUSES.map(({ label, minutes }) => (
            <Menu.Item
              key={label}
              leftSection={<IconPlayerPause size={16} aria-hidden />}
              onClick={() => pause(scenario, minutes)}
            >
              {label}
            </Menu.Item>
          ))}
        </>
      )}
      <Menu.Divider />
      <Menu.Item
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => remove(scenario)}
      >
        {ACTION_TEXT.delete}
      </Menu.Item>
    </>
  );
}
