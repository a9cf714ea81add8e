/** Sets up test files about profiles: the real application, and an account for each test. */
import request from 'supertest';
import { arranged } from '../arranged';
import { accountOfEach, suiteService } from '../test-service';

export const PATH = '/v1/profiles';

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The body of a profile. */
export const shop = (set: object = { interval: 30 }, change: object = {}) => ({
  key: 'shop',
  name: 'Shop',
  set,
  ...change,
});

export const minimal = { name: 'm', url: 'http://shop.example/health', regions: ['eu-west'] };

interface Faulty {
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

export const faultsIn = ({ errors }: Faulty) =>
  errors.map(({ path, message }) => `${path} ${message}`);
export const pathsIn = ({ errors }: Faulty) => errors.map(({ path }) => path);

export function openProfileSuite() {
  const service = suiteService({ sleep: async () => undefined });
  const account = accountOfEach(service);
  const as = (verb: Verb, path: string, body?: object, key = account.key) =>
    request(service.app)[verb](path).set('Authorization', `Bearer ${key}`).send(body);
  return {
    service,
    account,
    as,
    newProfile: (set?: object, change?: object) => arranged(as('post', PATH, shop(set, change))),
    newMonitor: (fields: object = {}) =>
      arranged(as('post', '/v1/monitors', { ...minimal, ...fields })),
    read: async (id: string) => (await as('get', `/v1/monitors/${id}`)).body,
  };
}
