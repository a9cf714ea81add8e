/** The fields of a domain check: until when a name is registered, as its registry says by RDAP. */
import { z } from 'zod';
import type { DomainSettings } from '../../contracts/kinds';
import { intervalSecondsField, warnDaysShape } from '../../schemas/fields';
import type { ShapeProblem } from '../../schemas/issues';
import { hostShape, type KindShape, type Sent } from '../fields';
import { referableFields } from '../referable';

const DOMAIN_INTERVAL_SECONDS_MIN = 3_600;
const DEFAULT_DOMAIN_WARN_DAYS: readonly number[] = [30, 14, 7, 3, 1];

const shapes = {
  host: hostShape.meta({ description: 'The domain as it is registered, like example.com' }),
  warnDays: warnDaysShape.meta({
    description: 'Days before the registration ends at which people are warned; empty: no warning',
  }),
};

/** As a body of any type may have them. */
export const domainOptional = z.object({ warnDays: shapes.warnDays }).partial().shape;

export const domainBodyFields = {
  host: shapes.host,
  warnDays: shapes.warnDays.default([...DEFAULT_DOMAIN_WARN_DAYS]),
};

/** In place of the usual interval, for the reference. */
export const domainInterval = intervalSecondsField
  .min(DOMAIN_INTERVAL_SECONDS_MIN)
  .meta({ description: 'Seconds from one check to the next; a registry is asked once a day' })
  .default(DOMAIN_INTERVAL_SECONDS_MIN);

export const domainResponseFields = {
  host: z.string(),
  warnDays: z.array(z.int()),
};

const whole = z.object(referableFields(domainBodyFields));

const IP_ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|\[?[0-9a-f]*:[0-9a-f:.]*\]?)$/i;

function isDomain(host: string): boolean {
  return !IP_ADDRESS.test(host) && host.replace(/\.$/, '').includes('.');
}

function findDomainProblems({ host, interval }: Sent): readonly ShapeProblem[] {
  const problems: ShapeProblem[] = [];
  if (typeof host === 'string' && !host.includes('{{') && !isDomain(host))
    problems.push({
      path: 'host',
      code: 'invalid_value',
      message: 'must be a domain as it is registered, like example.com',
    });
  if (typeof interval === 'number' && interval < DOMAIN_INTERVAL_SECONDS_MIN)
    problems.push({
      path: 'interval',
      code: 'out_of_bounds',
      message: `must be at least ${DOMAIN_INTERVAL_SECONDS_MIN} for this type`,
    });
  return problems;
}

export const DOMAIN_SHAPE: KindShape = {
  fields: domainBodyFields,
  hasCertificate: false,
  intervalMin: DOMAIN_INTERVAL_SECONDS_MIN,
  findProblems: findDomainProblems,
  read: (sent) => {
    const settings: DomainSettings = whole.parse({ host: 'missing.invalid', ...sent });
    const { host, warnDays } = settings;
    // Its registry is found by each check.
    return { check: { type: 'domain', settings }, url: `domain://${host}`, targets: [], warnDays };
  },
};
