/** Settings of the container and of the all-in-one process. */
import { z } from 'zod';
import { defineSetting } from './setting-row';

export const ALL_IN_ONE_ROWS = {
  KEEPWATCH_ROLE: defineSetting(
    [],
    z.enum(['all', 'api', 'orchestrator', 'probe']).default('all'),
    'all',
    'what a container of the image runs: all (all-in-one, what `npm start` runs), api, orchestrator or probe',
  ),
  KEEPWATCH_DOWNLOADS: defineSetting(
    [],
    z.enum(['on', 'off']).default('on'),
    'on',
    'all-in-one: off never downloads a server. It then needs a Temporal server on the PATH or in the cache, and uses the embedded database unless there is a mongod. The image contains its servers and sets off',
  ),
  KEEPWATCH_MONGOD: defineSetting(
    [],
    z.string().optional(),
    '',
    'all-in-one: path of the mongod to use',
  ),
};
