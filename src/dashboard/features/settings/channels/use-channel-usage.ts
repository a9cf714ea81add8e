/** Returns how many checks use a channel. null until all data is loaded. */
import { type ChannelUsage, channelUsage } from '../../../shared/alerts/channel-usage';
import type { AlertChannel, AlertPolicy, AlertRoutes, Page } from '../../../shared/data/api-types';
import { findCheckType } from '../../../shared/data/check-type';
import { useChecks } from '../../../shared/data/checks';
import { useRead } from '../../../shared/data/queries';

type FindUsage = (channel: Pick<AlertChannel, 'id' | 'type' | 'isDefault'>) => ChannelUsage;

export function useChannelUsage(): FindUsage | null {
  const { checks } = useChecks();
  const { data: channels } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const { data: policies } = useRead<Page<AlertPolicy>>('/v1/alert-policies?limit=100');
  const { data: rules } = useRead<AlertRoutes>('/v1/alert-routes');
  if (!checks || !channels || !policies || !rules) return null;
  const alerting = checks.map((check) => ({ ...check, type: findCheckType(check) }));
  return (channel) =>
    channelUsage(channel, {
      checks: alerting,
      channels: channels.data,
      policies: policies.data,
      routes: rules.routes,
    });
}
