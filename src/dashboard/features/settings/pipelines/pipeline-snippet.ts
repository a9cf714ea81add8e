/** The lines of a CI configuration that use a pipeline. Pure. */
import { GITHUB_ISSUER } from '../../../../domain/accounts/pipeline-claims';
import type { Pipeline } from '../../../shared/data/api-types';

export interface PipelineSnippet {
  /** The path of the file that the lines belong in. */
  readonly file: string;
  readonly text: string;
}

/**
 * Returns the lines for GitHub if GitHub signs the tokens of the pipeline, and otherwise for GitLab. `origin` is the
 * URL of this service.
 */
export function buildSnippet(
  { id, issuer }: Pick<Pipeline, 'id' | 'issuer'>,
  origin: string,
): PipelineSnippet {
  if (issuer === GITHUB_ISSUER)
    return {
      file: '.github/workflows/verify.yml',
      text: `permissions: { contents: read, id-token: write }
env:
  KEEPWATCH_URL: ${origin}
  KEEPWATCH_PIPELINE: ${id}
jobs:
  verify:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: npm install --global keepwatch
      - run: keepwatch run --wait`,
    };
  return {
    file: '.gitlab-ci.yml',
    text: `verify:
  image: node:24
  id_tokens:
    KEEPWATCH_ID_TOKEN: { aud: ${origin} }
  variables:
    KEEPWATCH_URL: ${origin}
    KEEPWATCH_PIPELINE: ${id}
  script:
    - npm install --global keepwatch
    - keepwatch run --wait`,
  };
}
