/** Shows that a check is flapping, next to its name or status. */
import { IconArrowsUpDown } from '@tabler/icons-react';
import { SmallBadge } from '../ui/small-badge';
import { FLAPPING_TITLE } from './flapping';

export function FlappingBadge() {
  return (
    <SmallBadge
      text="Flapping"
      title={FLAPPING_TITLE}
      colour="var(--kw-degraded)"
      icon={<IconArrowsUpDown size={12} aria-hidden />}
    />
  );
}
