/** Describes monitors for functions that handle both monitors and scenarios. */

import type { Monitor, PingAddress } from '../../models/resources/monitors';
import { leaveVariablesOpen } from '../../schemas/environments/open-references';
import { type MonitorBody, monitorBody } from '../../schemas/monitor';
import { type MonitorResponse, monitor, monitorPage } from '../../schemas/responses/monitors';
import { newPingAddress } from '../heartbeats/ping-address';
import {
  type Kind,
  type KindFacts,
  type KindNeeds,
  pickBase,
  type ResourceBase,
  withoutBase,
} from '../resources/kind';
import { createMonitorPort } from '../resources/resource-port';
import { composeMonitorFields, type MonitorFields } from './compose-monitor';
import { MONITOR_READ_ONLY_FIELDS, presentMonitor } from './present-monitor';

export interface MonitorTypes {
  readonly Body: MonitorBody;
  readonly Fields: MonitorFields;
  readonly Resource: Monitor;
  readonly View: MonitorResponse;
}

/** Facts about all monitors that do not depend on stored data. */
export const MONITOR_FACTS: KindFacts<MonitorTypes> = {
  idKind: 'monitor',
  shape: leaveVariablesOpen<MonitorBody>(monitorBody),
  readOnlyFields: MONITOR_READ_ONLY_FIELDS,
  minimal: { name: 'x', url: 'http://example.com/' },
  response: monitor,
  page: monitorPage,
};

/** Returns the ping URL of a heartbeat. The URL stays the same until its token is rotated. */
function findPingUrl(needs: KindNeeds, base: ResourceBase & Partial<Monitor>): PingAddress {
  return base.heartbeat?.address ?? newPingAddress(needs, base);
}

export function createMonitorKind(needs: KindNeeds): Kind<MonitorTypes> {
  const withFields: Kind<MonitorTypes>['withFields'] = (base, { plan, ...fields }) => ({
    ...base,
    ...fields,
    heartbeat: plan === null ? null : { plan, address: findPingUrl(needs, base) },
  });
  return {
    ...MONITOR_FACTS,
    ...createMonitorPort(needs),
    compose: (owner, body) => composeMonitorFields(needs, owner, body),
    withFields,
    readFields: (monitor) => {
      const { heartbeat, ...fields } = withoutBase(monitor);
      return { ...fields, plan: heartbeat?.plan ?? null };
    },
    restore: (current, fields) => {
      const { heartbeat } = current;
      return withFields({ ...pickBase(current), ...(heartbeat && { heartbeat }) }, fields);
    },
    present: (monitor, status) => presentMonitor(needs, monitor, status),
  };
}
