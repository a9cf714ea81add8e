/** A button that adds a row at the end of a list and moves the focus into it. */
import { AddButton } from '../../ui/small-button';
import { focusRow } from '../problems/focus-field';

interface AddRowProps<Row> {
  readonly rows: readonly Row[];
  readonly newRow: () => Row;
  readonly onChange: (rows: readonly Row[]) => void;
  readonly children: string;
}

export function AddRow<Row extends { readonly rowId: string }>(props: AddRowProps<Row>) {
  const { rows, newRow, onChange, children } = props;
  const add = (): void => {
    const row = newRow();
    onChange([...rows, row]);
    focusRow(row.rowId);
  };
  return (
    <AddButton onClick={add} style={{ alignSelf: 'flex-start' }}>
      {children}
    </AddButton>
  );
}
