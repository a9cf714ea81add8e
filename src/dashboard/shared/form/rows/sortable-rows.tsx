/**
 * Rows that users can reorder by mouse, touch and keyboard, also between several lists. The caller stores the order.
 */
import {
  type Announcements,
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ActionIcon, Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './sortable-rows.module.css';

const DRAG_AFTER_PX = 6;
/** The width of the handle of a row without arrows. This is the minimum size of a touch target. */
const FLAT_SIZE = 24;

interface DragAreaProps {
  /** The name of a row for screen readers. */
  readonly readName: (id: string) => string;
  /** Describes where the moved row would be if it took the position of this row, like `position 2 of 3`. */
  readonly describePosition: (id: string, moved: string) => string;
  /** Called with the id of the row when it is picked up, and with null when it is released. */
  readonly onPick: (id: string | null) => void;
  /** Called when a row is dropped on another row, and takes its position. */
  readonly onDrop: (id: string, onto: string) => void;
  readonly children: ReactNode;
}

export function DragArea({ readName, describePosition, onPick, onDrop, children }: DragAreaProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_AFTER_PX } }),
    useSensor(KeyboardSensor, {
      coordinateGetter: sortableKeyboardCoordinates,
      scrollBehavior: 'auto',
    }),
  );
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{
        announcements: announcementsFor({ readName, describePosition }),
      }}
      onDragStart={({ active }) => onPick(String(active.id))}
      onDragCancel={() => onPick(null)}
      onDragEnd={({ active, over }) => {
        onPick(null);
        if (over !== null && over.id !== active.id) onDrop(String(active.id), String(over.id));
      }}
    >
      {children}
    </DndContext>
  );
}

interface SortableListProps {
  /** The ids of the rows, in their order. Each is unique on the whole page. */
  readonly ids: readonly string[];
  readonly children: ReactNode;
}

export function SortableList({ ids, children }: SortableListProps) {
  return (
    <SortableContext items={[...ids]} strategy={verticalListSortingStrategy}>
      <Stack component="ol" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {children}
      </Stack>
    </SortableContext>
  );
}

type Direction = 'up' | 'down';

interface SortableRowProps {
  readonly id: string;
  readonly name: string;
  /**
   * The action of each arrow, or null if the row cannot move further. Without `steps`, the row has no arrows and is as
   * high as one input. The row itself must then offer other ways to move it.
   */
  readonly steps?: Readonly<Record<Direction, (() => void) | null>>;
  /** False if no row can be dropped here at the moment. */
  readonly isTarget: boolean;
  readonly children: ReactNode;
}

export function SortableRow({ id, name, steps, isTarget, children }: SortableRowProps) {
  const sortable = useSortable({ id, disabled: { droppable: !isTarget } });
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition } =
    sortable;
  const isAimedAt = sortable.isOver && !sortable.isDragging;
  return (
    <li
      ref={setNodeRef}
      data-sortable={id}
      style={{
        transform: CSS.Translate.toString(transform),
        transition,
        ...(isAimedAt && { outline: '2px dashed var(--mantine-color-anchor)', outlineOffset: 2 }),
        ...(sortable.isDragging && { position: 'relative', zIndex: 2, opacity: 0.9 }),
      }}
    >
      <div className={classes['row']} data-flat={steps === undefined}>
        <div className={classes['handles']}>
          <ActionIcon
            ref={setActivatorNodeRef}
            {...attributes}
            {...listeners}
            variant="subtle"
            color="gray"
            size={steps === undefined ? FLAT_SIZE : 'md'}
            style={{ cursor: 'grab', touchAction: 'none' }}
            aria-label={`Drag ${name}`}
          >
            <IconGripVertical size={18} aria-hidden />
          </ActionIcon>
          {steps !== undefined && (
            <>
              <Arrow id={id} name={name} direction="up" step={steps.up} />
              <Arrow id={id} name={name} direction="down" step={steps.down} />
            </>
          )}
        </div>
        <div className={classes['content']}>{children}</div>
      </div>
    </li>
  );
}

interface ArrowProps {
  readonly id: string;
  readonly name: string;
  readonly direction: Direction;
  readonly step: (() => void) | null;
}

function Arrow({ id, name, direction, step }: ArrowProps) {
  const Icon = direction === 'up' ? IconArrowUp : IconArrowDown;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="md"
      disabled={step === null}
      data-arrow={direction}
      aria-label={`Move ${name} ${direction}`}
      onClick={() => {
        step?.();
        // Gives the focus back to the arrow, which loses the focus when the row moves. Otherwise the next key press
        // would have no effect.
        requestAnimationFrame(() => focusArrow(id, direction));
      }}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}

/** Focuses the arrow, or the opposite arrow if the row cannot move further. */
function focusArrow(id: string, direction: Direction): void {
  const row = document.querySelector(`[data-sortable="${id}"]`);
  const other = direction === 'up' ? 'down' : 'up';
  for (const each of [direction, other]) {
    const arrow = row?.querySelector<HTMLButtonElement>(`[data-arrow=${each}]`);
    if (arrow?.disabled === false) {
      arrow.focus();
      return;
    }
  }
}

/** The texts that screen readers read out while a row is moved by keyboard. */
function announcementsFor({
  readName,
  describePosition,
}: Pick<DragAreaProps, 'readName' | 'describePosition'>): Announcements {
  const name = ({ id }: { readonly id: unknown }): string => readName(String(id));
  const position = (over: { readonly id: unknown }, moved: { readonly id: unknown }): string =>
    describePosition(String(over.id), String(moved.id));
  return {
    onDragStart: ({ active }) =>
      `${name(active)} picked up from ${position(active, active)}. Move it with the arrow keys.`,
    onDragOver: ({ active, over }) =>
      over === null
        ? `${name(active)} is outside the list.`
        : `${name(active)} is at ${position(over, active)}.`,
    onDragEnd: ({ active, over }) =>
      `${name(active)} dropped at ${position(over ?? active, active)}.`,
    onDragCancel: ({ active }) => `${name(active)} was not moved.`,
  };
}
