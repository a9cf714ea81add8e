/** Shows that a monitor is flapping. */
import { IconArrowsUpDown } from '@tabler/icons-react';
import { FLAPPING_TITLE } from '../../../shared/alerts/flapping';
import { withQuery } from '../../../shared/data/api';
import type { Incident, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { SmallBadge } from '../../../shared/ui/small-badge';

/** A monitor is also flapping between two outages, so the newest incident counts, whether it is open or not. */
export function FlappingMark({ monitorId }: { readonly monitorId: string }) {
  const path = withQuery('/v1/incidents', { resourceId: monitorId, limit: 1 });
  const { data } = useRead<Page<Incident>>(path);
  const [newest] = data?.data ?? [];
  if (newest?.resourceId !== monitorId || !newest.isFlapping) return null;
  return (
    <SmallBadge
      text="Flapping"
      title={FLAPPING_TITLE}
      colour="var(--kw-degraded)"
      icon={<IconArrowsUpDown size={12} aria-hidden />}
    />
  );
}
