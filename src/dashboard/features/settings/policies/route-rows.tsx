/** The routes in their order. Users reorder them by dragging or with arrow buttons. */
import { DragArea, SortableList, SortableRow } from '../../../shared/form/sortable-rows';
import { moved, type RouteRow } from './route-draft';
import { RouteFields } from './route-fields';

interface RouteRowsProps {
  readonly rows: readonly RouteRow[];
  readonly onChange: (rows: readonly RouteRow[]) => void;
  readonly fault: (index: number, field: string) => string | null;
}

export function RouteRows({ rows, onChange, fault }: RouteRowsProps) {
  const indexOf = (id: string): number => rows.findIndex(({ rowId }) => rowId === id);
  const step = (from: number, to: number): (() => void) | null =>
    to < 0 || to >= rows.length ? null : () => onChange(moved(rows, from, to));
  return (
    <DragArea
      readName={(id) => `Route ${indexOf(id) + 1}`}
      describePosition={(id) => `position ${indexOf(id) + 1} of ${rows.length}`}
      onPick={() => undefined}
      onDrop={(id, onto) => onChange(moved(rows, indexOf(id), indexOf(onto)))}
    >
      <SortableList ids={rows.map(({ rowId }) => rowId)}>
        {rows.map((row, index) => (
          <SortableRow
            key={row.rowId}
            id={row.rowId}
            name={`route ${index + 1}`}
            steps={{ up: step(index, index - 1), down: step(index, index + 1) }}
            isTarget
          >
            <RouteFields
              row={row}
              number={index + 1}
              onChange={(next) => onChange(rows.map((other) => (other === row ? next : other)))}
              onRemove={() => onChange(rows.filter((other) => other !== row))}
              fault={(field) => fault(index, field)}
            />
          </SortableRow>
        ))}
      </SortableList>
    </DragArea>
  );
}
