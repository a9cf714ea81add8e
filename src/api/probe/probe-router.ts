/**
 * What probes read: `/internal/probe/…`. A token per region is the only key, answers are sealed,
 * and nothing here shows an account's data to anyone else.
 */
import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import {
  type DefinitionReference,
  type DefinitionResponse,
  definitionPath,
  PROBE_HELLO_PATH,
  SECRET_NAMES_MAX,
  type SecretsResponse,
  secretsPath,
} from '../../contracts/probe-protocol';
import { AppError } from '../../platform/errors';
import { createSealer } from '../../platform/sealing';
import { secretNameShape } from '../../schemas/secret';
import { recordHello } from '../../services/regions/record-hello';
import { readDefinition } from '../../services/resources/read-definition';
import { readSecrets } from '../../services/secrets/read-secrets';
import { readJsonBody } from '../routing/read-body';
import { readBody, readQuery } from '../routing/read-shape';
import { type ProbeRouterOptions, REGION, requireRegion } from './probe-region';
import { createProbeResultsRouter } from './probe-results-router';

const DEFINITION_PATTERN = '/internal/probe/definitions/:accountId/:kind/:id/:revision';
const SECRETS_PATTERN = '/internal/probe/secrets/:accountId';
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

export function createProbeRouter({ services, secretKeys }: ProbeRouterOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const sealer = createSealer(secretKeys, 'probe-answer');

  router.get(DEFINITION_PATTERN, async (request, response) => {
    requireRegion(request, secretKeys);
    const reference = readReference(request.params);
    const answer: DefinitionResponse = { definition: await readDefinition(services, reference) };
    const path = definitionPath(reference);
    const sealed = sealer.seal(Buffer.from(JSON.stringify(answer)), path);
    response.type('application/octet-stream').send(sealed);
  });

  router.get(SECRETS_PATTERN, async (request, response) => {
    requireRegion(request, secretKeys);
    const { accountId } = request.params;
    const names = readQuery(secretsQuery, request.query).names;
    const secrets = await readSecrets(services, accountId, names);
    const answer: SecretsResponse = { secrets };
    const sealed = sealer.seal(Buffer.from(JSON.stringify(answer)), secretsPath(accountId, names));
    response.type('application/octet-stream').send(sealed);
  });

  router.post(PROBE_HELLO_PATH, async (request: Request, response: Response) => {
    const region = requireRegion(request, secretKeys);
    const hello = readBody(helloBody, await readJsonBody(request, response, HELLO_BODY_RULE));
    if (hello.region !== region)
      throw new AppError('invalid_token', 'This token belongs to another region.');
    await recordHello(services, hello);
    response.status(204).end();
  });

  router.use(createProbeResultsRouter({ services, secretKeys }));
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
    throw new AppError('not_found', 'There is no such definition.');
  return { accountId, kind, id, revision: Number(revision) };
}
