/** The fields of a domain check. The check asks a registry for the expiry date of a domain. */
import { z } from 'zod';
import type { DomainSettings } from '../../contracts/kinds';
import { warnDaysShape } from '../../schemas/fields';
import type { ShapeProblem } from '../../schemas/issues';
import { allowFieldReferences } from '../allow-references';
import { hostShape, type KindShape, type Sent } from '../fields';

const INTERVAL_SECONDS_MIN = 3_600;
const DEFAULT_WARN_DAYS: readonly number[] = [30, 14, 7, 3, 1];

const fields = {
  host: hostShape.meta({ description: 'The domain as it is registered, like example.com' }),
  warnDays: warnDaysShape
    .meta({
      description:
        'People are warned this many days before the registration ends; empty: no warnings',
    })
    .default([...DEFAULT_WARN_DAYS]),
};

const whole = z.object(allowFieldReferences(fields));

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
  if (typeof interval === 'number' && interval < INTERVAL_SECONDS_MIN)
    problems.push({
      path: 'interval',
      code: 'out_of_bounds',
      message: `must be at least ${INTERVAL_SECONDS_MIN} for this type`,
    });
  return problems;
}

export const DOMAIN_SHAPE: KindShape<'domain'> = {
  schemaName: 'Domain',
  words: {
    label: 'Domain',
    title: 'Domain check',
    about: 'Asks the registry when the registration of a domain ends',
    examplePath: '$.daysUntilExpiry',
  },
  fields,
  secretFields: [],
  hasCertificate: false,
  hasRegistration: true,
  interval: {
    min: INTERVAL_SECONDS_MIN,
    description: 'Seconds between two checks. The registry is queried once a day',
  },
  findProblems: findDomainProblems,
  read: (sent) => {
    const settings: DomainSettings = whole.parse({ host: 'missing.invalid', ...sent });
    const { host, warnDays } = settings;
    // There are no targets, because each check finds the server of the registry itself.
    return { check: { type: 'domain', settings }, url: `domain://${host}`, targets: [], warnDays };
  },
};
