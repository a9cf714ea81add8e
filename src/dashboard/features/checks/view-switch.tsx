/** Switches between all checks, monitors and scenarios. Filters, order and groups stay. */
import { type MantineBreakpoint, SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { CHECK_LISTS } from '../../../contracts/check-list';
import { readSearch } from '../../shared/data/search';
import { readQuery } from '../../shared/list/view-search';
import { type CheckView, VIEW_TEXT } from './words';

interface ViewSwitchProps {
  readonly view: CheckView;
  /**
   * The width from which the switch is visible. Wide pages show the switch next to their title, narrow ones in the
   * filter sheet.
   */
  readonly visibleFrom?: MantineBreakpoint;
  readonly hiddenFrom?: MantineBreakpoint;
}

export function ViewSwitch({ view, ...where }: ViewSwitchProps) {
  const navigate = useNavigate();
  const open = (next: string): void => {
    const search = (current: Readonly<Record<string, unknown>>) => readQuery(readSearch(current));
    void navigate({ to: `/${next}`, search: search as never });
  };
  return (
    <SegmentedControl
      size="xs"
      aria-label="Show"
      data={CHECK_LISTS.map((value) => ({ value, label: VIEW_TEXT[value].short }))}
      value={view}
      onChange={open}
      {...where}
    />
  );
}
