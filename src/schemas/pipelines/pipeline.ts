/** Pipelines that authenticate with a token of their CI service instead of a stored key (docs/ci.md). */
import { z } from 'zod';
import { GITHUB_ISSUER, GITLAB_ISSUER } from '../../domain/accounts/pipeline-claims';
import { SCOPES } from '../../domain/accounts/roles';
import { lineField } from '../fields';
import { ignoringReadOnly } from '../read-only';

const URL_MAX = 300;
const REPOSITORY_MAX = 300;
/** The scopes of a run's key. `admin` is left out, because the key must not create keys that outlive it. */
const pipelineScope = z.enum(SCOPES).exclude(['admin']);
/** The maximum length of a token. Tokens of GitHub and GitLab have fewer than 5,000 characters. */
const TOKEN_MAX = 16_384;

export const pipelineBody = z.strictObject({
  name: lineField.min(1).max(100).describe('Shown in lists'),
  issuer: z
    .string()
    .max(URL_MAX)
    .default(GITHUB_ISSUER)
    .meta({
      description: `Issuer of the tokens: \`${GITHUB_ISSUER}\`, \`${GITLAB_ISSUER}\` or one of KEEPWATCH_PIPELINE_ISSUERS`,
    }),
  repository: z
    .string()
    .max(REPOSITORY_MAX)
    .regex(
      /^[\w.-]+(?:\/[\w.-]+)+$/,
      'must be the owner and the name of a repository, like acme/shop',
    )
    .meta({ description: 'Owner and name, like `acme/shop`. Case-insensitive' }),
  branch: lineField.min(1).max(200).nullable().default(null).meta({
    description: 'The only branch whose runs get a key; null: all branches, and pull requests',
  }),
  scopes: z
    .array(pipelineScope)
    .min(1)
    .max(pipelineScope.options.length)
    .transform((scopes) => [...new Set(scopes)])
    .default(['run'])
    .meta({ description: 'Scopes of the keys; never `admin`' }),
});
export type PipelineBody = z.output<typeof pipelineBody>;

/** The body of PUT. It also accepts the read-only fields of a response, and ignores them. */
export const pipelineReplacement = ignoringReadOnly(pipelineBody, ['id', 'createdAt', 'createdBy']);

export const pipelineTokenBody = z.strictObject({
  token: z
    .string()
    .min(1)
    .max(TOKEN_MAX)
    .meta({ description: 'The ID token of the run. Its audience must be the URL of this service' }),
});
