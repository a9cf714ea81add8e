/** Named schemas of request bodies, patches and their parts. */

import { z } from 'zod';
import { NAMED_NETWORK_BODIES } from '../../kinds/bodies';
import { httpMonitorBody } from '../../kinds/http/shape';
import { extractionShape } from '../../kinds/step-fields';
import { NAMED_KIND_STEPS } from '../../kinds/steps';
import { wordsTemplate } from '../../notify/channels/template-fields';
import { alertPolicyBody, alertRouteShape } from '../../schemas/alert-policy';
import { alertChannelPatch, alertChannelShape, alertsField } from '../../schemas/alerts';
import { applyBody } from '../../schemas/apply';
import { assertionShape } from '../../schemas/assertion';
import { authShape } from '../../schemas/auth/auth-field';
import { accountVariablesBody, environmentBody } from '../../schemas/environments/environment';
import { variableShape } from '../../schemas/fields';
import { hoursBody } from '../../schemas/hours/hours';
import { maintenanceWindowBody, targetField } from '../../schemas/maintenance';
import { documentedMonitorBody, heartbeatMonitorBody, monitorBody } from '../../schemas/monitor';
import { profileBody } from '../../schemas/profiles/profile';
import { httpVersionShape, ipFamilyShape, proxyShape } from '../../schemas/proxy/proxy-field';
import { partShape } from '../../schemas/request-body';
import { runScenarioBody } from '../../schemas/run';
import { savedViewBody } from '../../schemas/saved-view';
import { scenarioBody, stepShape } from '../../schemas/scenario';
import { statusPagePostBody, statusPagePostChange } from '../../schemas/status-pages/post';
import { statusPageBody } from '../../schemas/status-pages/status-page';
import {
  pemShape,
  requestTlsShape,
  sharedTlsShape,
  tlsSecretShape,
  tlsTrustShape,
} from '../../schemas/tls/tls-field';
import { findObject } from './shape-facts';

export const PATCHES = {
  AlertChannelPatch: alertChannelPatch,
  AlertPolicyPatch: mergePatchShape(alertPolicyBody.shape),
  EnvironmentPatch: mergePatchShape(environmentBody),
  HoursPatch: mergePatchShape(hoursBody.shape),
  ProfilePatch: mergePatchShape(profileBody.shape),
  MonitorPatch: mergePatchShape(monitorBody.shape),
  SavedViewPatch: mergePatchShape(savedViewBody),
  ScenarioPatch: mergePatchShape(scenarioBody.shape),
  StatusPagePatch: mergePatchShape(statusPageBody),
  StatusPagePostPatch: mergePatchShape(statusPagePostChange),
};

export const NAMED_SHAPES = {
  ...PATCHES,
  AccountVariablesBody: accountVariablesBody,
  AlertChannelBody: alertChannelShape,
  AlertPolicyBody: alertPolicyBody.shape,
  AlertRoute: alertRouteShape,
  Alerts: alertsField,
  ApplyBody: applyBody.shape,
  Assertion: assertionShape,
  Auth: authShape,
  EnvironmentBody: environmentBody,
  Extraction: extractionShape,
  HeartbeatMonitorBody: heartbeatMonitorBody,
  HoursBody: hoursBody.shape,
  HttpMonitorBody: httpMonitorBody,
  HttpVersion: httpVersionShape,
  IpFamily: ipFamilyShape,
  MaintenanceTarget: targetField,
  MaintenanceWindowBody: maintenanceWindowBody,
  MessageTemplate: wordsTemplate,
  MonitorBody: documentedMonitorBody,
  MultipartPart: partShape,
  Pem: pemShape,
  ProfileBody: profileBody.shape,
  ProxyName: proxyShape,
  RequestTls: requestTlsShape,
  RunBody: runScenarioBody,
  SavedViewBody: savedViewBody,
  ScenarioBody: scenarioBody.shape,
  ScenarioTls: sharedTlsShape,
  StatusPageBody: statusPageBody,
  StatusPagePostBody: statusPagePostBody,
  Step: stepShape,
  TlsSecret: tlsSecretShape,
  TlsTrust: tlsTrustShape,
  ...NAMED_NETWORK_BODIES,
  ...NAMED_KIND_STEPS,
  Variable: variableShape,
};

/** Makes every field optional. A field with a default is also nullable, because null restores the default. */
function mergePatchShape(body: z.ZodType): z.ZodObject {
  const fields = Object.entries(findObject(body)?.shape ?? {}).map(([name, field]) => {
    const change = changeShape(field);
    const isNullable = field._zod.optin !== undefined && !(change instanceof z.ZodCustom);
    return [name, isNullable ? z.nullish(change) : z.optional(change)] as const;
  });
  return z.strictObject(Object.fromEntries(fields));
}

/** Returns the schema of a field in a patch, without its default. Objects are patched recursively. */
function changeShape(field: z.core.$ZodType): z.core.$ZodType {
  if (field instanceof z.ZodDefault || field instanceof z.ZodPrefault)
    return changeShape(field.unwrap());
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable)
    return changeShape(field.unwrap());
  if (field instanceof z.ZodPipe) return changeShape(field.in);
  return field instanceof z.ZodObject ? mergePatchShape(field) : field;
}
