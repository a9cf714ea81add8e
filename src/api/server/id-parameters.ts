/** Path parameters of /v1 that are ids, and the type of each id. */
import type { IdKind } from '../../domain/definitions/ids';

export const ID_PARAMETERS: ReadonlyMap<string, IdKind> = new Map([
  ['accountId', 'account'],
  ['monitorId', 'monitor'],
  ['scenarioId', 'scenario'],
  ['runId', 'run'],
  ['keyId', 'apiKey'],
  ['channelId', 'channel'],
  ['policyId', 'alertPolicy'],
  ['incidentId', 'incident'],
  ['pageId', 'statusPage'],
  ['postId', 'post'],
  ['memberId', 'user'],
  ['invitationId', 'invitation'],
  ['windowId', 'maintenance'],
  ['hoursId', 'hours'],
  ['profileId', 'profile'],
  ['sessionId', 'session'],
  ['probeKeyId', 'probeKey'],
  ['viewId', 'savedView'],
  ['pipelineId', 'pipeline'],
  ['environmentId', 'environment'],
  ['rolloutId', 'rollout'],
]);
