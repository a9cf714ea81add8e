/**
 * Rows that are put in another order by mouse, touch and keyboard: a handle to drag, and two arrows that
 * need no dragging. It keeps no order itself.
 */
import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  type DragOverEvent,
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
import { ActionIcon, Group, Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react';
import type { ReactNode } from 'react';

const DRAG_AFTER_PX = 6;

export interface SortableEntry {
  /** Of its own on the whole page. */
  readonly id: string;
  readonly name: string;
}

interface SortableRowsProps {
  readonly entries: readonly SortableEntry[];
  readonly onMove: (from: number, to: number) => void;
  readonly children: ReactNode;
}

export function SortableRows({ entries, onMove, children }: SortableRowsProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_AFTER_PX } }),
    useSensor(KeyboardSensor, {
      coordinateGetter: sortableKeyboardCoordinates,
      scrollBehavior: 'auto',
    }),
  );
  const indexOf = (id: unknown): number => entries.findIndex((entry) => entry.id === id);
  const end = ({ active, over }: DragEndEvent): void => {
    const from = indexOf(active.id);
    const to = over === null ? from : indexOf(over.id);
    if (from !== to && from >= 0 && to >= 0) onMove(from, to);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements: announcementsFor(entries, indexOf) }}
      onDragEnd={end}
    >
      <SortableContext items={entries.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
        <Stack component="ol" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
          {children}
        </Stack>
      </SortableContext>
    </DndContext>
  );
}

interface SortableRowProps extends SortableEntry {
  readonly index: number;
  readonly count: number;
  readonly onMove: (from: number, to: number) => void;
  readonly children: ReactNode;
}

export function SortableRow({ id, name, index, count, onMove, children }: SortableRowProps) {
  const sortable = useSortable({ id });
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition } =
    sortable;
  const arrow = (by: -1 | 1) => ({
    variant: 'subtle',
    color: 'gray',
    disabled: index + by < 0 || index + by >= count,
    'aria-label': `Move ${name} ${by < 0 ? 'up' : 'down'}`,
    onClick: ({ currentTarget }: { readonly currentTarget: HTMLButtonElement }) => {
      onMove(index, index + by);
      // A node that is put elsewhere in the page loses the focus, which the next press needs.
      requestAnimationFrame(() => currentTarget.focus());
    },
  });
  return (
    <li
      ref={setNodeRef}
      style={{
        transform: CSS.Translate.toString(transform),
        transition,
        ...(sortable.isDragging && { position: 'relative', zIndex: 2, opacity: 0.9 }),
      }}
    >
      <Group gap={2} wrap="nowrap" align="flex-start">
        <Stack gap={0}>
          <ActionIcon
            ref={setActivatorNodeRef}
            {...attributes}
            {...listeners}
            variant="subtle"
            color="gray"
            style={{ cursor: 'grab', touchAction: 'none' }}
            aria-label={`Drag ${name}`}
          >
            <IconGripVertical size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon {...arrow(-1)}>
            <IconArrowUp size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon {...arrow(1)}>
            <IconArrowDown size={16} aria-hidden />
          </ActionIcon>
        </Stack>
        <div style={{ flex: 1, minWidth: 0 }}>{children}</div>
      </Group>
    </li>
  );
}

/** Said by screen readers while a row is moved by keyboard. */
function announcementsFor(
  entries: readonly SortableEntry[],
  indexOf: (id: unknown) => number,
): Announcements {
  const nameOf = (id: unknown): string => entries[indexOf(id)]?.name ?? 'The row';
  return {
    onDragStart: ({ active }) =>
      `${nameOf(active.id)} picked up from position ${indexOf(active.id) + 1}. Move it with the arrow keys.`,
    onDragOver: ({ active, over }: DragOverEvent) =>
      over === null
        ? `${nameOf(active.id)} is outside the list.`
        : `${nameOf(active.id)} is at position ${indexOf(over.id) + 1} of ${entries.length}.`,
    onDragEnd: ({ active, over }) =>
      `${nameOf(active.id)} dropped at position ${indexOf(over?.id ?? active.id) + 1}.`,
    onDragCancel: ({ active }) => `${nameOf(active.id)} was not moved.`,
  };
}
