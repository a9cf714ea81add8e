/** A JSON value as a tree. Its nodes can be picked by mouse and keyboard, or dragged into a field. */
import { Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { formatJsonPath, type Key } from './json-path';
import classes from './json-tree.module.css';

export interface PickedNode {
  readonly path: string;
  readonly value: unknown;
}

interface JsonTreeProps {
  readonly value: unknown;
  readonly label: string;
  readonly onPick: (node: PickedNode) => void;
  readonly drag?: NodeDrag | undefined;
}

/** Lets users drag a node with the mouse. With the keyboard, users can pick a node instead. */
export interface NodeDrag {
  /** Returns the text that a field gets when the value at this path is dropped on it. */
  readonly readText: (path: string) => string;
  readonly onDropped: (path: string) => void;
}

/** How many children of a list or object are shown. Further children are only counted. */
const CHILDREN_MAX = 100;
const OPEN_LEVELS = 2;

export function JsonTree({ value, label, onPick, drag }: JsonTreeProps) {
  return (
    <section className={classes['tree']} aria-label={label}>
      <Node name="$" keys={[]} value={value} onPick={onPick} drag={drag} />
    </section>
  );
}

interface NodeProps extends Pick<JsonTreeProps, 'value' | 'onPick' | 'drag'> {
  readonly name: string;
  readonly keys: readonly Key[];
}

function Node({ name, keys, value, onPick, drag }: NodeProps) {
  const [isOpen, setIsOpen] = useState(keys.length < OPEN_LEVELS);
  if (typeof value !== 'object' || value === null)
    return <Leaf name={name} keys={keys} value={value} onPick={onPick} drag={drag} />;
  const entries: readonly (readonly [Key, unknown])[] = Array.isArray(value)
    ? value.map((child, index) => [index, child] as const)
    : Object.entries(value);
  return (
    <div className={classes['leaf']}>
      <UnstyledButton
        className={classes['fold'] ?? ''}
        onClick={() => setIsOpen(!isOpen)}
        aria-expanded={isOpen}
      >
        <span aria-hidden>{isOpen ? '▾' : '▸'}</span>
        <span className={classes['name']}>{name}</span>
        <Text span size="xs" c="dimmed">
          {Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`}
        </Text>
      </UnstyledButton>
      {isOpen && (
        <div className={classes['children']}>
          {entries.slice(0, CHILDREN_MAX).map(([key, child]) => (
            <Node
              key={key}
              name={String(key)}
              keys={[...keys, key]}
              value={child}
              onPick={onPick}
              drag={drag}
            />
          ))}
          {entries.length > CHILDREN_MAX && (
            <Text size="xs" c="dimmed">
              and {entries.length - CHILDREN_MAX} more
            </Text>
          )}
        </div>
      )}
    </div>
  );
}

function Leaf({ name, keys, value, onPick, drag }: NodeProps) {
  const { path, problem } = formatJsonPath(keys);
  const content = (
    <>
      <span className={classes['name']}>{name}</span>
      <span className={classes['value']}>{JSON.stringify(value)}</span>
    </>
  );
  if (path === null)
    return (
      <div className={classes['leaf']}>
        {content}{' '}
        <Text span size="xs" c="dimmed">
          No JSON path for this value: {problem}
        </Text>
      </div>
    );
  return (
    <div className={classes['leaf']}>
      <UnstyledButton
        className={classes['pick'] ?? ''}
        onClick={() => onPick({ path, value })}
        aria-label={`Pick ${path}`}
        {...(drag !== undefined && draggable(drag, path))}
      >
        {content}
      </UnstyledButton>
    </div>
  );
}

/** Makes a node draggable. The browser inserts the dropped text as if it were typed. */
function draggable({ readText, onDropped }: NodeDrag, path: string) {
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }: React.DragEvent) => {
      dataTransfer.effectAllowed = 'copy';
      dataTransfer.setData('text/plain', readText(path));
    },
    onDragEnd: ({ dataTransfer }: React.DragEvent) => {
      if (dataTransfer.dropEffect !== 'none') onDropped(path);
    },
  };
}
