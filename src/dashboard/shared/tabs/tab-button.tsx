/** A button on an empty tab that leads to another tab of the page. */
import { Button } from '@mantine/core';
import { useSearchState } from '../data/search';

interface TabButtonProps {
  readonly tab: string;
  readonly label: string;
}

export function TabButton({ tab, label }: TabButtonProps) {
  const [, setSearch] = useSearchState();
  return (
    <Button variant="default" onClick={() => setSearch({ tab, cursor: undefined })}>
      {label}
    </Button>
  );
}
