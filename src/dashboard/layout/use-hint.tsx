/** The action of the palette that says what a verb without a name can do. */
import type { SpotlightActionData } from '@mantine/spotlight';
import { IconTerminal2 } from '@tabler/icons-react';
import { useCan } from '../shared/data/session';
import { formatHint, type readOrder } from './orders';

type Verbs = NonNullable<ReturnType<typeof readOrder>>['verbs'];

/** The action leaves the palette open for the name. */
export function useHint(
  text: string,
  onChoose: () => void,
): (verbs: Verbs) => SpotlightActionData[] {
  const [canRun, canWrite] = [useCan('run'), useCan('write')];
  return (verbs) => {
    const label = formatHint(verbs.filter((verb) => (verb === 'check' ? canRun : canWrite)));
    if (label === null) return [];
    const leftSection = <IconTerminal2 size={18} aria-hidden />;
    const rest = { keywords: [text], leftSection, closeSpotlightOnTrigger: false };
    return [{ id: 'hint', label, onClick: onChoose, ...rest }];
  };
}
