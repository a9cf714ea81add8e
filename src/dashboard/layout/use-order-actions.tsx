/**
 * Actions of the palette for a command like `pause payment`, which names a verb and a check. Leaves out actions that
 * would be refused.
 */
import type { SpotlightActionData } from '@mantine/spotlight';
import {
  IconCopy,
  IconEdit,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTool,
  IconTrash,
  IconUserCheck,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useAcknowledge } from '../shared/actions/use-acknowledge';
import { useCheckNow } from '../shared/actions/use-check-now';
import { useResourceActions } from '../shared/actions/use-resource-actions';
import { useRunNow } from '../shared/actions/use-run-now';
import type { Incident, Monitor, Scenario } from '../shared/data/api-types';
import { useCan } from '../shared/data/session';
import type { readOrder } from './orders';

type Row = Monitor | Scenario;
type Order = NonNullable<ReturnType<typeof readOrder>>;
type Verb = Order['verbs'][number];

interface Action {
  readonly label: string;
  readonly Icon: typeof IconEdit;
  readonly onClick: () => void;
}

/**
 * Returns the actions. The typed text becomes a keyword of every action, because the palette filters its list by the
 * typed text.
 */
export function useOrderActions(
  typed: string,
): (order: Order, rows: readonly Row[]) => SpotlightActionData[] {
  const findActions = useActions();
  return ({ verbs }, rows) =>
    rows.flatMap((row) =>
      verbs.flatMap((verb) =>
        findActions(verb, row).map(({ label, Icon, onClick }) => ({
          id: `${label} ${row.id}`,
          label,
          description: row.groupKey,
          keywords: [typed],
          onClick,
          leftSection: <Icon size={18} aria-hidden />,
        })),
      ),
    );
}

/** Returns an action for each incident, which acknowledges it. */
export function useIncidentActions(
  typed: string,
): (incidents: readonly Incident[]) => SpotlightActionData[] {
  const { acknowledge } = useAcknowledge();
  return (incidents) =>
    incidents.map(({ id, resourceName: name }) => ({
      id: `acknowledge ${id}`,
      label: acknowledgeLabel(name),
      keywords: [typed],
      onClick: () => acknowledge({ id, name }),
      leftSection: <IconUserCheck size={18} aria-hidden />,
    }));
}

function acknowledgeLabel(name: string): string {
  return `Acknowledge incident of ${name}`;
}

function useActions(): (verb: Verb, row: Row) => readonly Action[] {
  const start = useStart();
  const change = { monitors: useChanges('monitors'), scenarios: useChanges('scenarios') };
  const { acknowledge } = useAcknowledge();
  const [canRun, canWrite] = [useCan('run'), useCan('write')];
  return (verb, row) => {
    if (verb === 'check') return canRun ? start(row) : [];
    if (!canWrite) return [];
    if (verb !== 'acknowledge') return change['steps' in row ? 'scenarios' : 'monitors'](verb, row);
    const { name, currentIncidentId: id } = row;
    if (id === null) return [];
    const onClick = () => acknowledge({ id, name });
    return [{ label: acknowledgeLabel(name), Icon: IconUserCheck, onClick }];
  };
}

/**
 * Returns the actions that start a check or run. Heartbeats and paused monitors send nothing, so there is no action for
 * them.
 */
function useStart(): (row: Row) => readonly Action[] {
  const checkNow = useCheckNow();
  const run = useRunNow();
  return (row) => {
    if ('steps' in row)
      return [{ label: `Run ${row.name} now`, Icon: IconPlayerPlay, onClick: () => run(row) }];
    if (row.type === 'heartbeat' || row.state !== 'active') return [];
    return [{ label: `Check ${row.name} now`, Icon: IconRefresh, onClick: () => checkNow(row) }];
  };
}

function useChanges(kind: 'monitors' | 'scenarios') {
  const { pause, resume, startMaintenance, remove } = useResourceActions(kind);
  const navigate = useNavigate();
  return (verb: Exclude<Verb, 'check' | 'acknowledge'>, row: Row): readonly Action[] => {
    const { id, name, state } = row;
    switch (verb) {
      case 'pause':
        if (state === 'paused') return [];
        return [
          { label: `Pause ${name} for 1 h`, Icon: IconPlayerPause, onClick: () => pause(row, 60) },
          {
            label: `Pause ${name} until I resume`,
            Icon: IconPlayerPause,
            onClick: () => pause(row, null),
          },
        ];
      case 'resume':
        if (state !== 'paused') return [];
        return [{ label: `Resume ${name}`, Icon: IconPlayerPlay, onClick: () => resume(row) }];
      case 'maintenance':
        return [
          {
            label: `Maintenance of ${name} for 30 min`,
            Icon: IconTool,
            onClick: () => startMaintenance(row),
          },
        ];
      case 'edit':
        return [
          {
            label: `Edit ${name}`,
            Icon: IconEdit,
            onClick: () => void navigate({ to: `/${kind}/${id}/edit` }),
          },
        ];
      case 'duplicate':
        return [
          {
            label: `Duplicate ${name}`,
            Icon: IconCopy,
            onClick: () => void navigate({ to: `/${kind}/new`, search: { from: id } as never }),
          },
        ];
      case 'delete':
        return [{ label: `Delete ${name}`, Icon: IconTrash, onClick: () => remove(row) }];
    }
  };
}
