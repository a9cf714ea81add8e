/**
 * The endpoints that probes read: `/internal/probe/…`. Each probe has its own key, and reads only the definitions of
 * its region.
 */
import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import {
  type DefinitionReference,
  type DefinitionResponse,
  definitionPath,
  PROBE_HELLO_PATH,
  PROBE_KEYS_PATH,
  type RegionKeysResponse,
  SECRET_NAMES_MAX,
  type SecretsResponse,
  secretsPath,
} from '../../contracts/probe-protocol';
import { listReferencedSecrets } from '../../domain/secrets/secret-names';
import { AppError } from '../../platform/errors';
import { secretNameShape } from '../../schemas/secret';
import { recordHello } from '../../services/regions/regions';
import { readDefinition } from '../../services/resources/read-definition';
import { readSecrets } from '../../services/secrets/read-secrets';
import { readJsonBody } from '../routing/read-body';
import { readBody, readQuery } from '../routing/read-shape';
import { authenticateProbe, type ProbeRouterOptions, REGION } from './authenticate-probe';
import { createProbeResultsRouter } from './probe-results-router';
import { createProbeWatchesRouter } from './probe-watches-router';

const DEFINITION_PATTERN = '/internal/probe/definitions/:accountId/:kind/:id/:revision';
const SECRETS_PATTERN = `${DEFINITION_PATTERN}/secrets`;
const secretsQuery = z.strictObject({
  names: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(secretNameShape).max(SECRET_NAMES_MAX)),
});
const HELLO_BODY_RULE = { mediaTypes: ['application/json'], isOptional: false };
const helloBody = z.strictObject({
  region: z.string().regex(REGION),
  identity: z.string().min(1).max(200),
  networkSuspectSinceMs: z.int().min(0).nullable().default(null),
  release: z.string().min(1).max(100).optional(),
});

export function createProbeRouter(options: ProbeRouterOptions): Router {
  const { services } = options;
  const router = Router({ caseSensitive: true, strict: true });
  router.use('/internal/probe', (_request, response, next) => {
    response.locals['route'] = '/internal/probe';
    next();
  });

  router.get(PROBE_KEYS_PATH, async (request: Request, response: Response) => {
    const { region, sealResponse } = await authenticateProbe(request, options);
    const body: RegionKeysResponse = { keys: services.regionKeyrings.readKeys(region) };
    response.type('application/octet-stream').send(sealResponse(body, PROBE_KEYS_PATH));
  });

  router.get(DEFINITION_PATTERN, async (request, response) => {
    const { region, sealResponse } = await authenticateProbe(request, options);
    const reference = readReference(request.params);
    const body: DefinitionResponse = {
      definition: await readDefinition(services, reference, region),
    };
    const sealed = sealResponse(body, definitionPath(reference));
    response.type('application/octet-stream').send(sealed);
  });

  router.get(SECRETS_PATTERN, async (request, response) => {
    const { region, sealResponse } = await authenticateProbe(request, options);
    const reference = readReference(request.params);
    const { names } = readQuery(secretsQuery, request.query);
    const { steps } = await readDefinition(services, reference, region);
    const named = new Set(listReferencedSecrets(steps));
    const asked = names.filter((name) => named.has(name));
    const secrets = await readSecrets(services, reference.accountId, asked);
    const body: SecretsResponse = { secrets };
    const sealed = sealResponse(body, secretsPath(reference, names));
    response.type('application/octet-stream').send(sealed);
  });

  router.post(PROBE_HELLO_PATH, async (request: Request, response: Response) => {
    const { region, keyId } = await authenticateProbe(request, options);
    const hello = readBody(helloBody, await readJsonBody(request, response, HELLO_BODY_RULE));
    if (hello.region !== region)
      throw new AppError('invalid_token', 'This token belongs to another region.');
    await recordHello(services, { ...hello, keyId });
    response.status(204).end();
  });

  router.use(createProbeResultsRouter(options));
  router.use(createProbeWatchesRouter(options));
  return router;
}

function readReference(params: {
  readonly accountId: string;
  readonly kind: string;
  readonly id: string;
  readonly revision: string;
}): DefinitionReference {
  const { accountId, kind, id, revision } = params;
  const isKind = kind === 'monitor' || kind === 'scenario';
  if (!isKind || !/^\d{1,15}$/.test(revision))
    throw new AppError('not_found', 'There is no definition with this id and revision.');
  return { accountId, kind, id, revision: Number(revision) };
}
