/** What the reference says of configuration as code. */
import { appliedSet, exportedSet, fileSchema } from '../../../schemas/responses/apply';
import type { RouteDocs } from '../../openapi/route-doc';

const CODE = { tag: 'Configuration as code' } as const;

export const APPLY_DOCS: RouteDocs = {
  'POST /v1/apply': {
    ...CODE,
    summary: 'Make a whole set of objects so, by key; the answer is the plan and what came of it',
    answers: {
      200: { says: 'An outcome for each object; some may have failed', shape: appliedSet },
    },
    example: {
      dryRun: true,
      monitors: [{ key: 'shop-home', name: 'Shop', url: 'https://shop.example.com/' }],
    },
  },
  'GET /v1/export': {
    ...CODE,
    summary: 'Everything as a set that apply takes; applied again, it changes nothing',
    answers: { 200: { says: 'The set', shape: exportedSet } },
  },
  'GET /v1/schema.json': {
    ...CODE,
    summary: 'The JSON Schema of files that apply takes, for editors',
    answers: { 200: { says: 'The schema', shape: fileSchema } },
  },
};
