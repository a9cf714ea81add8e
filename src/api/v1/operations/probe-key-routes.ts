/** The routes of probe keys, which belong to the whole installation (docs/api.md). */
import { probeKeyBody, regionKeyBody } from '../../../schemas/probe-key';
import { pageQuery } from '../../../schemas/queries';
import {
  newProbeKey,
  probeKey,
  probeKeyPage,
  rotatedRegionKey,
} from '../../../schemas/responses/probe-keys';
import {
  createProbeKey,
  getProbeKey,
  listProbeKeys,
  revokeProbeKey,
} from '../../../services/regions/probe-keys';
import { rotateRegionKey } from '../../../services/regions/rotate-region-key';
import { listResponse, NO_CONTENT, okResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';

export const probeKeyRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/probe-keys',
    operationId: 'listProbeKeys',
    tag: 'Probes',
    summary: 'List probe keys',
    description:
      'Returns the keys of probes, newest first, including revoked keys, but never the keys themselves. Only the first account of the installation has probe keys.',
    guide: 'docs/self-hosting.md#probes-in-other-regions',
    scope: 'admin',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: probeKeyPage } },
    handler: async (principal, { services, query, url }) =>
      listResponse(await listProbeKeys(services, principal, query), url),
  }),
  route({
    endpoint: 'POST /v1/probe-keys',
    operationId: 'createProbeKey',
    tag: 'Probes',
    summary: 'Create a probe key',
    description:
      'Returns a key for one probe of a region, which is never shown again. Only for the first account of the installation.',
    guide: 'docs/self-hosting.md#probes-in-other-regions',
    scope: 'admin',
    audit: 'probe_key.create',
    body: probeKeyBody,
    responses: { 201: { description: 'The key, this once', schema: newProbeKey } },
    codes: ['limit_reached'],
    example: { region: 'eu-west', name: 'rack 4' },
    handler: async (principal, { services, body }) => {
      const key = await createProbeKey(services, principal, body);
      return { status: 201, headers: { Location: `/v1/probe-keys/${key.id}` }, body: key };
    },
  }),
  route({
    endpoint: 'GET /v1/probe-keys/:probeKeyId',
    operationId: 'getProbeKey',
    tag: 'Probes',
    summary: 'Get a probe key',
    description:
      'Returns the region, the name and the last use of the key, without the key itself.',
    guide: 'docs/self-hosting.md#probes-in-other-regions',
    scope: 'admin',
    responses: { 200: { description: 'The key', schema: probeKey } },
    handler: async (principal, { services, param }) =>
      okResponse(await getProbeKey(services, principal, param('probeKeyId'))),
  }),
  route({
    endpoint: 'DELETE /v1/probe-keys/:probeKeyId',
    operationId: 'revokeProbeKey',
    tag: 'Probes',
    summary: 'Revoke a probe key',
    description:
      'The API refuses the key from the next request on, and its probe ends. This cannot be undone.',
    guide: 'docs/self-hosting.md#probes-in-other-regions',
    scope: 'admin',
    audit: 'probe_key.delete',
    responses: DONE,
    handler: async (principal, { services, param }) => {
      await revokeProbeKey(services, principal, param('probeKeyId'));
      return NO_CONTENT;
    },
  }),
  route({
    endpoint: 'POST /v1/regions/rotate-key',
    operationId: 'rotateRegionKey',
    tag: 'Probes',
    summary: 'Rotate the encryption key of a region',
    description:
      'Creates a new key for the data that is encrypted for the probes of the region. The probes fetch it automatically.',
    guide: 'docs/self-hosting.md#probes-in-other-regions',
    scope: 'admin',
    audit: 'region.rotate_key',
    body: regionKeyBody,
    responses: { 200: { description: 'How often it was rotated', schema: rotatedRegionKey } },
    codes: ['limit_reached', 'unknown_region'],
    example: { region: 'eu-west' },
    handler: async (principal, { services, body }) =>
      okResponse(await rotateRegionKey(services, principal, body.region)),
  }),
];
