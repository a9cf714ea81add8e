/** Settings for installations with several accounts: operators and registration. */
import { z } from 'zod';
import { REGISTRATION_MODES } from '../contracts/operations/registration';
import { defineSetting } from './setting-row';
import { commaList } from './setting-shapes';

const OPERATORS_MAX = 50;

export const ACCOUNT_ROWS = {
  KEEPWATCH_OPERATOR_EMAIL: defineSetting(
    ['api', 'orchestrator'],
    commaList
      .pipe(z.array(z.email('must be email addresses').toLowerCase()).max(OPERATORS_MAX))
      .default([]),
    '',
    'email addresses of the operators, separated by commas. They manage all accounts, in addition to the owners of the first account. With SMTP_URL they are notified of regions without workers, suspect networks and periods without checks',
  ),
  KEEPWATCH_REGISTRATION: defineSetting(
    ['api'],
    z.enum(REGISTRATION_MODES).default('off'),
    'off',
    'who may create an account: off: only operators; invite: people with a link from an operator; open: everyone with an email address that is confirmed',
  ),
};
