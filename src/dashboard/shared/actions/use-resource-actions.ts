/** The actions on one monitor or scenario. Each reports its outcome. */

import { useRouter } from '@tanstack/react-router';
import { cutText } from '../../../domain/text/cut-text';
import { useForget } from '../data/queries';
import { confirm } from '../dialog/confirm';
import type { ListKind } from '../list/list-filters';
import {
  buildRestoredPause,
  expectActive,
  expectPaused,
  type Pausable,
  type PauseBody,
  pauseBody,
} from './pause-body';
import { type Act, useAct } from './use-act';
import { ACTION_TEXT } from './words';

const MAINTENANCE_MINUTES = 30;
const NAME_MAX = 200;
/** The paths that a change affects, in addition to the list of the resource's kind. */
const TOUCHED = ['/v1/checks', '/v1/overview', '/v1/incidents', '/v1/maintenance-windows'];

export interface Named {
  readonly id: string;
  readonly name: string;
}

type NamedPausable = Named & Pausable;

interface ResourceActions {
  /** Pauses the resource. The change is shown at once and can be undone, as for `resume`. */
  readonly pause: (resource: NamedPausable, minutes: number | null) => void;
  readonly resume: (resource: NamedPausable) => void;
  readonly startMaintenance: (resource: Named) => void;
  /** Asks for confirmation, deletes, and then shows the list. */
  readonly remove: (resource: Named) => void;
  /** Posts to the resource, and shows the sentence `done` after a success. */
  readonly post: (resource: Named, action: string, done: string) => void;
}

/** Returns the paths that a change of this kind may affect. */
export function touchedBy(kind: ListKind): readonly string[] {
  return [`/v1/${kind}`, ...TOUCHED];
}

export function useResourceActions(kind: ListKind): ResourceActions {
  const { act } = useAct(touchedBy(kind));
  const leave = useLeaveDeleted(kind);
  const { pause, resume } = pauseActions(kind, act);
  return {
    pause: (resource, minutes) => pause(resource, pauseBody(minutes), () => resume(resource)),
    resume: (resource) => resume(resource, () => pause(resource, buildRestoredPause(resource))),
    post: ({ id }, action, done) =>
      act({ method: 'POST', path: `/v1/${kind}/${id}/${action}` }, { done }),
    startMaintenance: ({ id, name }) =>
      act(
        {
          method: 'POST',
          path: '/v1/maintenance-windows/now',
          body: {
            name: cutText(`Maintenance of ${name}`, NAME_MAX),
            minutes: MAINTENANCE_MINUTES,
            target: { ids: [id] },
          },
        },
        { done: `${name} is in maintenance for ${MAINTENANCE_MINUTES} minutes.` },
      ),
    remove: ({ id, name }) =>
      confirm({
        title: `Delete “${name}”?`,
        text: 'Its results and history will be deleted too. This can’t be undone.',
        action: ACTION_TEXT.delete,
        onConfirm: () => {
          const focusNext = findNeighbour(id);
          act(
            { method: 'DELETE', path: `/v1/${kind}/${id}` },
            { done: `${name} deleted.`, onDone: () => leave(id), onRefreshed: focusNext },
          );
        },
      }),
  };
}

type Undo = () => void;

/**
 * Returns the functions that pause and resume. Without `undo`, the notice has no Undo button, because the call is
 * itself an undo.
 */
function pauseActions(kind: ListKind, act: Act) {
  return {
    pause: ({ id, name }: NamedPausable, body: PauseBody, undo?: Undo): void =>
      act(
        { method: 'POST', path: `/v1/${kind}/${id}/pause`, body },
        { done: `${name} paused.`, expected: expectPaused([id], body), undo: () => undo },
      ),
    resume: (resource: NamedPausable, undo?: Undo): void =>
      act(
        { method: 'POST', path: `/v1/${kind}/${resource.id}/resume` },
        {
          done: `${resource.name} resumed.`,
          expected: expectActive([resource]),
          undo: () => undo,
        },
      ),
  };
}

/** Returns a function that opens the list if the page of the deleted object is open. */
function useLeaveDeleted(kind: ListKind): (id: string) => Promise<void> {
  const router = useRouter();
  const forget = useForget();
  return async (id) => {
    const own = `/${kind}/${id}`;
    const { pathname } = router.state.location;
    if (pathname !== own && !pathname.startsWith(`${own}/`)) return;
    // The Back button must not lead to the page of a deleted object.
    await router.navigate({ to: `/${kind}`, replace: true });
    forget(`/v1${own}`);
  };
}

/** Returns a function that moves the focus to the next row, or else to the previous one. */
function findNeighbour(id: string): () => void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex(({ dataset }) => dataset['row'] === id);
  const neighbour = rows[at + 1] ?? rows[at - 1];
  return () => {
    if (at !== -1) neighbour?.querySelector('a')?.focus();
  };
}
