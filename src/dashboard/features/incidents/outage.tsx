/** The measurements around an incident: response times, or the reports of a heartbeat's job. */
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
  // No data is stored for a deleted monitor.
  if (error?.status === 404) return null;
  // The data may still belong to the previous monitor.
  if (monitor?.id !== resourceId) return <Unread of={{ data: undefined, error }} />;
  if (monitor.type === 'heartbeat') return <JobReports monitor={monitor} incident={incident} />;
  return <OutageChart incident={incident} />;
}
