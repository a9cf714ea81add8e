/** Fields of every monitor that sends checks: how often, from where, and when it counts as down. */
import { z } from 'zod';
import type { MonitorRules } from '../contracts/definition';
import { alertsField, guidanceFields } from '../schemas/alerts';
import { environmentField } from '../schemas/environments/environment';
import {
  degradedAboveMsField,
  dependsOnField,
  enabledField,
  groupField,
  intervalSecondsField,
  nameField,
  profileField,
  regionsField,
  resourceKeyField,
  tagsField,
  variablesField,
} from '../schemas/fields';
import { hoursFields } from '../schemas/hours/hours-fields';
import { requestOptionFields } from '../schemas/request-options';

export const DEFAULT_INTERVAL_SECONDS = 60;

/** The rules for when a monitor is down, as fields of responses. */
export const monitorRuleShapes = {
  failuresBeforeDown: z
    .int()
    .min(1)
    .max(10)
    .meta({ description: 'Number of failed slots in a row after which the monitor is down' }),
  successesBeforeUp: z
    .int()
    .min(1)
    .max(10)
    .meta({ description: 'Number of passing slots in a row after which the monitor is up again' }),
} satisfies Record<keyof MonitorRules, z.ZodType>;

/** The rules for when a monitor is down, as fields of requests with defaults. */
export const monitorRuleFields = {
  failuresBeforeDown: monitorRuleShapes.failuresBeforeDown.default(1),
  successesBeforeUp: monitorRuleShapes.successesBeforeUp.default(1),
} satisfies Record<keyof MonitorRules, z.ZodType>;

/** Picks the rules from a complete or partial definition, without validating them. */
export function readMonitorRules({
  failuresBeforeDown,
  successesBeforeUp,
}: MonitorRules): MonitorRules {
  return { failuresBeforeDown, successesBeforeUp };
}

export const quorumField = z
  .union([z.int().min(1).max(20), z.literal('majority')])
  .meta({ description: 'Number of regions that must be down for a slot to fail' })
  .default(1);

/** The request fields of all kinds except HTTP. */
export const sentFields = {
  name: nameField,
  profile: profileField,
  interval: intervalSecondsField.default(DEFAULT_INTERVAL_SECONDS),
  regions: regionsField,
  alerts: alertsField,
  dependsOn: dependsOnField,
  ...hoursFields,
  ...guidanceFields,
  group: groupField,
  variables: variablesField,
  environment: environmentField,
  timeoutMs: requestOptionFields.timeoutMs,
  retries: requestOptionFields.retries,
  degradedAboveMs: degradedAboveMsField,
  ...monitorRuleFields,
  quorum: quorumField,
  tags: tagsField,
  key: resourceKeyField,
  enabled: enabledField,
};
