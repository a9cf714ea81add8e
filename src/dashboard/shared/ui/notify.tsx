/** Short notices at the edge of the page. */
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ApiProblem } from '../data/api';
import { afterLabel, formatLabel } from '../form/problems/labels';
import { TEXT } from '../text/strings';

const SAID_FOR_MS = 4_000;
/** How long a notice with an Undo button is shown: long enough to read it and press the button. */
const UNDO_FOR_MS = 10_000;

/** Shows a notice. With `undo`, the notice has an Undo button, and stays while it has the focus or the pointer. */
export function notify(message: string, undo?: () => void): void {
  if (undo === undefined) {
    notifications.show({ message, color: 'green', autoClose: SAID_FOR_MS });
    return;
  }
  const keepFor = (autoClose: number | false) => (): void => {
    notifications.update({ ...notice, id, autoClose });
  };
  let cameFrom: EventTarget | null = null;
  const press = once(() => {
    notifications.hide(id);
    undo();
    if (cameFrom instanceof HTMLElement) cameFrom.focus();
  });
  const notice = {
    color: 'green',
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          flex="none"
          data-undo
          aria-keyshortcuts="u"
          title="Or press u"
          onFocus={({ relatedTarget }) => {
            cameFrom = relatedTarget;
            keepFor(false)();
          }}
          onBlur={keepFor(UNDO_FOR_MS)}
          onClick={press}
        >
          Undo
        </Button>
      </Group>
    ),
  };
  const id = notifications.show({ ...notice, autoClose: UNDO_FOR_MS });
}

/** Shows an error that stays until the reader closes it. */
export function notifyFailed(message: string): void {
  notifications.show({ message, color: 'red', autoClose: false });
}

/** Presses Undo in the newest notice that has it. */
export function undoNewest(): void {
  [...document.querySelectorAll<HTMLElement>('[data-undo]')].at(-1)?.click();
}

/**
 * Shows a refusal until the user closes it, or until a change of the same object succeeds. `path` is the path of the
 * refused change.
 */
export function notifyProblem(problem: ApiProblem, path: string, retry: () => void): void {
  const isInUse = problem.code === 'in_use';
  const text = isInUse ? describeUsers(problem) : describeFaults(problem);
  const id = buildRefusalId(path);
  notifications.hide(id);
  notifications.show({
    id,
    title: isInUse ? TEXT.inUse : problem.status === 0 ? TEXT.notReached : TEXT.refused,
    message: isInUse ? (
      text
    ) : (
      <>
        {text}
        <br />
        <Button
          size="compact-sm"
          variant="default"
          mt={6}
          onClick={once(() => {
            notifications.hide(id);
            retry();
          })}
        >
          {TEXT.retry}
        </Button>
      </>
    ),
    color: 'red',
    autoClose: false,
  });
}

/** Closes the notice about a refused change of the same object, because it no longer applies. */
export function closeRefusal(path: string): void {
  notifications.hide(buildRefusalId(path));
}

/**
 * Returns the id of the notice about an object. All paths of the object have the same id, for example
 * `/v1/incidents/inc_1` and `/v1/incidents/inc_1/acknowledge`.
 */
function buildRefusalId(path: string): string {
  return `refusal ${path.split('/').slice(0, 4).join('/')}`;
}

function describeFaults({ errors, message }: ApiProblem): string {
  const faults = errors.map((fault) => formatLabel(fault.path) + afterLabel(fault.message));
  return faults.length === 0 ? message : faults.join('; ');
}

/** Returns a text like `Checks use this profile. Change them first: “Shop”, “Blog”`. */
function describeUsers({ errors, message }: ApiProblem): string {
  const names = errors.flatMap((fault) => /“.*”/.exec(fault.message) ?? []);
  return names.length === 0 ? message : `${message.replace(/\.$/, '')}: ${names.join(', ')}`;
}

/** Returns a function that calls `act` on its first call only. */
function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
