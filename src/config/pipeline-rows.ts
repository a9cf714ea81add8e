/** The setting of pipelines: the CI services whose tokens give their runs access. */
import { z } from 'zod';
import { defineSetting } from './setting-row';
import { commaList } from './setting-shapes';
import { issuerUrl } from './url-shapes';

const ISSUERS_MAX = 50;

export const PIPELINE_ROWS = {
  KEEPWATCH_PIPELINE_ISSUERS: defineSetting(
    ['api'],
    commaList.pipe(z.array(issuerUrl).max(ISSUERS_MAX)).default([]),
    '',
    'URLs of CI services that may issue ID tokens for pipelines, in addition to GitHub and gitlab.com, like https://gitlab.example.com',
  ),
};
