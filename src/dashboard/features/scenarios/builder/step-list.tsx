/**
 * The list of steps, whose order users can change by mouse, touch and keyboard. Warns before a move that would break
 * references.
 */
import {
  type Announcements,
  type CollisionDetection,
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
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { Draft } from '../draft/draft';
import { withMoved } from '../draft/draft-changes';
import { brokenWords, findNewlyBroken } from '../draft/references';
import classes from './builder.module.css';
import { BUILDER_TEXT } from './builder-strings';

const DRAG_AFTER_PX = 6;

/**
 * Finds the drop target by comparing edges. Centres are not compared, because open cards are much taller than closed
 * ones.
 */
const closestEdge: CollisionDetection = ({ collisionRect, droppableRects, droppableContainers }) =>
  droppableContainers
    .flatMap((droppableContainer) => {
      const rect = droppableRects.get(droppableContainer.id);
      if (rect === undefined) return [];
      const top = Math.abs(rect.top - collisionRect.top);
      const value = Math.min(top, Math.abs(rect.bottom - collisionRect.bottom));
      return [{ id: droppableContainer.id, data: { droppableContainer, value } }];
    })
    .sort((a, b) => a.data.value - b.data.value);

interface StepListProps {
  readonly draft: Draft;
  readonly onMove: (from: number, to: number) => void;
  readonly children: React.ReactNode;
}

export function StepList({ draft, onMove, children }: StepListProps) {
  const [warning, setWarning] = useState('');
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_AFTER_PX } }),
    useSensor(KeyboardSensor, {
      coordinateGetter: sortableKeyboardCoordinates,
      // With smooth scrolling, a key pressed during the animation would start from the wrong position.
      scrollBehavior: 'auto',
    }),
  );
  const ids = draft.steps.map(({ id }) => id);
  const findPositions = ({ active, over }: DragOverEvent | DragEndEvent): [number, number] => {
    const from = ids.indexOf(String(active.id));
    return [from, over === null ? from : ids.indexOf(String(over.id))];
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestEdge}
      accessibility={{ announcements: announcementsFor(draft) }}
      onDragOver={(event) => setWarning(breaksBy(draft, ...findPositions(event)))}
      onDragEnd={(event) => {
        const [from, to] = findPositions(event);
        setWarning('');
        if (from !== to) onMove(from, to);
      }}
      onDragCancel={() => setWarning('')}
    >
      {warning !== '' && (
        <Alert
          variant="default"
          className={classes['warning'] ?? ''}
          icon={<IconAlertTriangle aria-hidden />}
          title={BUILDER_TEXT.breaks}
        >
          {warning}
        </Alert>
      )}
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ol className={classes['steps']}>{children}</ol>
      </SortableContext>
    </DndContext>
  );
}

function breaksBy(draft: Draft, from: number, to: number): string {
  return from === to ? '' : brokenWords(findNewlyBroken(draft, withMoved(draft, from, to)));
}

/** The announcements for screen readers while a step is moved by keyboard. */
function announcementsFor(draft: Draft): Announcements {
  const findPosition = (id: unknown): number => draft.steps.findIndex((step) => step.id === id);
  const findName = (id: unknown): string => draft.steps[findPosition(id)]?.name ?? 'The step';
  return {
    onDragStart: ({ active }) =>
      `${findName(active.id)} picked up from position ${findPosition(active.id) + 1}. Move it with the arrow keys.`,
    onDragOver: ({ active, over }) => {
      if (over === null) return `${findName(active.id)} is outside the list.`;
      const from = findPosition(active.id);
      const to = findPosition(over.id);
      const broken = breaksBy(draft, from, to);
      const words = `${findName(active.id)} is at position ${to + 1} of ${draft.steps.length}.`;
      return broken === '' ? words : `${words} That would break: ${broken}.`;
    },
    onDragEnd: ({ active, over }) =>
      `${findName(active.id)} dropped at position ${findPosition(over?.id ?? active.id) + 1}.`,
    onDragCancel: ({ active }) => `${findName(active.id)} was not moved.`,
  };
}
