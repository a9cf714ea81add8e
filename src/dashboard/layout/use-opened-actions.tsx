/** Palette actions for the open monitor, scenario or incident. Leaves out actions that would be refused. */
import type { SpotlightActionData } from '@mantine/spotlight';
import {
  IconCopy,
  IconEdit,
  IconFlame,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTool,
  IconTrash,
  IconUserCheck,
} from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { askMinutes } from '../shared/actions/ask-minutes';
import { useAcknowledge } from '../shared/actions/use-acknowledge';
import { useCheckNow } from '../shared/actions/use-check-now';
import { useResourceActions } from '../shared/actions/use-resource-actions';
import { useRunNow } from '../shared/actions/use-run-now';
import { ACTION_TEXT, PAUSES } from '../shared/actions/words';
import type { Incident, Monitor, Scenario } from '../shared/data/api-types';
import { useRead } from '../shared/data/queries';
import { useCan } from '../shared/data/session';
import { findOpened, type Opened } from './opened';
import { VERB_WORDS } from './orders';

interface OpenedActions {
  /** The group in the palette. The palette uses it as a key, so it must not be a name that users choose. */
  readonly group: string;
  readonly actions: SpotlightActionData[];
}

const NOTHING: OpenedActions = { group: 'This page', actions: [] };

/** Returns the actions on the open object. Reads nothing until the palette is open (`isShown`). */
export function useOpenedActions(isShown: boolean): OpenedActions {
  const { pathname } = useLocation();
  const opened = findOpened(pathname);
  const ofResource = useResourceItems(isShown ? opened : null);
  const ofIncident = useIncidentItems(isShown ? opened : null);
  return ofResource ?? ofIncident ?? NOTHING;
}

function useResourceItems(opened: Opened | null): OpenedActions | null {
  const kind = opened?.kind === 'scenarios' ? 'scenarios' : 'monitors';
  const isResource = opened !== null && opened.kind !== 'incidents';
  const { data } = useRead<Monitor | Scenario>(`/v1/${kind}/${opened?.id ?? ''}`, {
    enabled: isResource,
  });
  const starts = useStartItems();
  const changes = useChangeItems(kind);
  const acknowledge = useAcknowledgeItem();
  const navigate = useNavigate();
  const canWrite = useCan('write');
  if (!isResource || data?.id !== opened.id) return null;
  const { name, currentIncidentId } = data;
  const incident =
    currentIncidentId === null
      ? []
      : [
          buildItem({ id: 'open-incident', label: 'View incident', Icon: IconFlame }, () => {
            void navigate({ to: `/incidents/${currentIncidentId}` });
          }),
          ...(canWrite ? [acknowledge({ id: currentIncidentId, name })] : []),
        ];
  const written = canWrite ? changes(data) : [];
  const group = kind === 'monitors' ? 'This monitor' : 'This scenario';
  return { group, actions: [...starts(data), ...incident, ...written] };
}

/**
 * Returns the items that start a check or run. Heartbeats and paused monitors send nothing, so there is no item for
 * them.
 */
function useStartItems(): (resource: Monitor | Scenario) => SpotlightActionData[] {
  const checkNow = useCheckNow();
  const run = useRunNow();
  const canRun = useCan('run');
  return (resource) => {
    if (!canRun) return [];
    if ('steps' in resource)
      return [
        buildItem({ id: 'run-now', label: ACTION_TEXT.run, Icon: IconPlayerPlay }, () =>
          run(resource),
        ),
      ];
    if (resource.type === 'heartbeat' || resource.state !== 'active') return [];
    return [
      buildItem({ id: 'check-now', label: ACTION_TEXT.checkNow, Icon: IconRefresh }, () =>
        checkNow(resource),
      ),
    ];
  };
}

function useChangeItems(
  kind: 'monitors' | 'scenarios',
): (resource: Monitor | Scenario) => SpotlightActionData[] {
  const { pause, resume, startMaintenance, remove } = useResourceActions(kind);
  const navigate = useNavigate();
  return (resource) => {
    const pauses = PAUSES.map(({ label, minutes }) =>
      buildItem(
        {
          id: `pause-${minutes}`,
          label: pauseLabel(label),
          Icon: IconPlayerPause,
          keywords: VERB_WORDS.pause,
        },
        () => pause(resource, minutes),
      ),
    );
    const custom = buildItem(
      {
        id: 'pause-custom',
        label: 'Pause for a custom time …',
        Icon: IconPlayerPause,
        keywords: VERB_WORDS.pause,
      },
      () => askMinutes((minutes) => pause(resource, minutes)),
    );
    const resumes = [
      buildItem(
        {
          id: 'resume',
          label: ACTION_TEXT.resume,
          Icon: IconPlayerPlay,
          keywords: VERB_WORDS.resume,
        },
        () => resume(resource),
      ),
    ];
    return [
      ...(resource.state === 'paused' ? resumes : [...pauses, custom]),
      buildItem(
        {
          id: 'maintenance',
          label: ACTION_TEXT.maintenanceNow,
          Icon: IconTool,
          keywords: VERB_WORDS.maintenance,
        },
        () => startMaintenance(resource),
      ),
      buildItem(
        { id: 'edit', label: ACTION_TEXT.edit, Icon: IconEdit, keywords: VERB_WORDS.edit },
        () => {
          void navigate({ to: `/${kind}/${resource.id}/edit` });
        },
      ),
      buildItem(
        {
          id: 'duplicate',
          label: ACTION_TEXT.duplicate,
          Icon: IconCopy,
          keywords: VERB_WORDS.duplicate,
        },
        () => {
          void navigate({ to: `/${kind}/new`, search: { from: resource.id } as never });
        },
      ),
      buildItem(
        { id: 'delete', label: ACTION_TEXT.delete, Icon: IconTrash, keywords: VERB_WORDS.delete },
        () => remove(resource),
      ),
    ];
  };
}

/** Returns the label of a pause: `For 30 min` → `Pause for 30 min`. */
function pauseLabel(label: string): string {
  return `${ACTION_TEXT.pause} ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

function useIncidentItems(opened: Opened | null): OpenedActions | null {
  const isIncident = opened?.kind === 'incidents';
  const path = `/v1/incidents/${opened?.id ?? ''}`;
  const { data, isPlaceholderData } = useRead<Incident>(path, { enabled: isIncident });
  const acknowledge = useAcknowledgeItem();
  const navigate = useNavigate();
  const canWrite = useCan('write');
  if (!isIncident || data === undefined || isPlaceholderData) return null;
  const { resourceName, resourceType, resourceId, acknowledgedAt, snoozedUntil } = data;
  const isUnseen = acknowledgedAt === null && canWrite;
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now();
  return {
    group: 'This incident',
    actions: [
      ...(isUnseen ? [acknowledge({ id: data.id, name: resourceName, isSnoozed })] : []),
      ...(resourceType === 'identityProvider'
        ? []
        : [
            buildItem({ id: 'open-check', label: `Open ${resourceType}`, Icon: IconFlame }, () => {
              void navigate({ to: `/${resourceType}s/${resourceId}` });
            }),
          ]),
    ],
  };
}

function useAcknowledgeItem() {
  const { acknowledge } = useAcknowledge();
  return (incident: Parameters<typeof acknowledge>[0]): SpotlightActionData =>
    buildItem(
      {
        id: 'acknowledge',
        label: 'Acknowledge incident',
        Icon: IconUserCheck,
        keywords: VERB_WORDS.acknowledge,
      },
      () => acknowledge(incident),
    );
}

interface Shown {
  readonly id: string;
  readonly label: string;
  readonly Icon: ComponentType<{ readonly size?: number; readonly 'aria-hidden'?: boolean }>;
  /** Synonyms by which the search also finds the action. */
  readonly keywords?: readonly string[];
}

function buildItem(
  { id, label, Icon, keywords = [] }: Shown,
  onClick: () => void,
): SpotlightActionData {
  return {
    id,
    label,
    onClick,
    keywords: [...keywords],
    leftSection: <Icon size={18} aria-hidden />,
  };
}
