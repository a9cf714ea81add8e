/** What was measured around an incident: response times, or what the job of a heartbeat reported. */
import type { Incident, Monitor } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { Unread } from '../../shared/loading/unread';
import { JobReports } from './job-reports';
import { OutageChart } from './outage-chart';

export function Outage({ incident }: { readonly incident: Incident }) {
  const { resourceType, resourceId } = incident;
  const isMonitor = resourceType === 'monitor';
  const { data: monitor, error } = useRead<Monitor>(`/v1/monitors/${resourceId}`, {
    enabled: isMonitor,
  });
  if (!isMonitor) return <OutageChart incident={incident} />;
  // Of a monitor that was deleted nothing is kept.
  if (error?.status === 404) return null;
  // Another monitor may still be there from before.
  if (monitor?.id !== resourceId) return <Unread of={{ data: undefined, error }} />;
  if (monitor.type === 'heartbeat') return <JobReports monitor={monitor} incident={incident} />;
  return <OutageChart incident={incident} />;
}
