/** What the reference says of secrets. */
import { secret, secretPage } from '../../../schemas/responses/secrets';
import type { RouteDocs } from '../../openapi/route-doc';

const SECRETS = { tag: 'Secrets' } as const;

export const SECRET_DOCS: RouteDocs = {
  'GET /v1/secrets': {
    ...SECRETS,
    summary: 'List secrets by name, without their values',
    answers: { 200: { says: 'A page', shape: secretPage } },
  },
  'GET /v1/secrets/:secretName': {
    ...SECRETS,
    summary: 'Read what uses a secret',
    answers: {
      200: { says: 'The secret, without its value', shape: secret },
      304: { says: 'Unchanged' },
    },
  },
  'PUT /v1/secrets/:secretName': {
    ...SECRETS,
    summary: 'Create a secret, or give it a new value',
    answers: {
      200: { says: 'It has this value now', shape: secret },
      201: { says: 'It is there now', shape: secret },
    },
    codes: ['version_mismatch'],
    example: { value: 'correct horse battery staple' },
  },
  'DELETE /v1/secrets/:secretName': {
    ...SECRETS,
    summary: 'Delete a secret; checks that use it are unknown from then on',
    answers: { 204: { says: 'It is gone' } },
    codes: ['version_mismatch'],
  },
};
