/** Shows that a monitor is flapping. */
import { FlappingBadge } from '../../../shared/alerts/flapping-badge';
import { withQuery } from '../../../shared/data/api';
import type { Incident, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';

/** Reads the newest incident, open or closed, because a monitor may also be flapping between two outages. */
export function FlappingMark({ monitorId }: { readonly monitorId: string }) {
  const path = withQuery('/v1/incidents', { resourceId: monitorId, limit: 1 });
  const { data } = useRead<Page<Incident>>(path);
  const [newest] = data?.data ?? [];
  return newest?.resourceId === monitorId && newest.isFlapping ? <FlappingBadge /> : null;
}
