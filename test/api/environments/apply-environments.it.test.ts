/**
 * Tests environments, account variables and matrices in applied sets, on the real application and database.
 *
 * Covers:
 * - services/apply/expand-entries
 */
import { carryOutAll } from '../../services/rollouts/memory-service';
import { arranged } from '../arranged';
import { accountOfEach, agentOf, suiteService, type TestAccount } from '../test-service';

const service = suiteService();
const account: TestAccount = accountOfEach(service);
const as = () => agentOf(service, account)();

const SET = {
  variables: [{ name: 'path', value: 'home' }],
  environments: [
    { key: 'staging', name: 'Staging', variables: { base: 'https://staging.example' } },
    { key: 'prod', name: 'Production', variables: { base: 'https://prod.example' } },
  ],
  monitors: [
    {
      key: 'home',
      name: 'Home',
      url: '{{base}}/{{path}}',
      matrix: { environment: ['staging', 'prod'], region: ['eu-west'] },
    },
    { key: 'cart', name: 'Cart', url: 'https://x.example/', dependsOn: ['home@prod-eu-west'] },
  ],
  scenarios: [
    {
      key: 'buy',
      name: 'Buy',
      steps: [{ name: 'one', url: '{{base}}/' }],
      matrix: { environment: ['staging'] },
    },
  ],
};

const apply = (body: object) => arranged(as().post('/v1/apply').send(body));
const read = async (path: string) => (await as().get(path)).body;
const actionsOf = ({ objects }: { objects: { key: string; action: string; outcome: string }[] }) =>
  objects.map(({ key, action, outcome }) => `${key} ${action} ${outcome}`);
const problemsOf = ({ objects }: { objects: { problem: { errors: object[] } | null }[] }) =>
  objects.flatMap(({ problem }) => problem?.errors ?? []);
const carryOut = () => carryOutAll(service.services, account.id);

test('apply creates environments and variables before the checks that use them', async () => {
  const plan = await apply({ ...SET, dryRun: true });
  expect(plan.summary).toMatchObject({ create: 7, failed: 0 });
  const applied = await apply(SET);
  expect(actionsOf(applied)).toEqual([
    'variables create done',
    'staging create done',
    'prod create done',
    'home@staging-eu-west create done',
    'home@prod-eu-west create done',
    'cart create done',
    'buy@staging create done',
  ]);
  expect(applied.objects.map(({ index }: { index: number }) => index)).toEqual([
    0, 0, 1, 0, 0, 1, 0,
  ]);
  const { data } = await read('/v1/monitors?limit=10');
  expect(data.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    'Cart',
    'Home (prod, eu-west)',
    'Home (staging, eu-west)',
  ]);
  const home = data.find(({ key }: { key: string }) => key === 'home@prod-eu-west');
  expect(home).toMatchObject({
    environment: 'prod',
    regions: ['eu-west'],
    inherited: { variables: { base: 'https://prod.example', path: 'home' } },
  });
  expect((await apply(SET)).summary).toMatchObject({ unchanged: 7, create: 0, update: 0 });
});

test('an export contains the combinations of a matrix as separate objects', async () => {
  await apply(SET);
  const set = await read('/v1/export');
  expect(set).toMatchObject({ variables: SET.variables });
  expect(set.environments.map(({ key }: { key: string }) => key).toSorted()).toEqual([
    'prod',
    'staging',
  ]);
  expect((await apply(set)).summary).toMatchObject({ unchanged: 7, update: 0, failed: 0 });
});

test('a changed environment of a set reaches all checks that use the environment, even checks of other sets', async () => {
  await apply(SET);
  const other = {
    set: 'other',
    monitors: [{ key: 'o', name: 'O', url: '{{base}}/', environment: 'prod' }],
  };
  await apply(other);
  const prod = { key: 'prod', name: 'Production', variables: { base: 'https://next.example' } };
  const changed = await apply({ ...SET, environments: [SET.environments[0], prod] });
  expect(changed.summary).toMatchObject({ update: 1, unchanged: 6, failed: 0 });
  await carryOut();
  const { data } = await read('/v1/monitors?limit=10');
  const bases = data.flatMap(
    ({
      environment,
      inherited,
    }: {
      environment: string;
      inherited: { variables: { base: string } };
    }) => (environment === 'prod' ? [inherited.variables.base] : []),
  );
  expect(bases).toEqual(['https://next.example', 'https://next.example']);
});

test('the rollouts of an applied environment and of applied variables can be undone', async () => {
  await apply(SET);
  const { environments } = await read('/v1/export');
  const prod = { key: 'prod', name: 'Production', variables: { base: 'https://next.example' } };
  await apply({ environments: [SET.environments[0], prod] });
  await carryOut();
  await apply({ variables: [{ name: 'path', value: 'next' }] });
  await carryOut();
  const { data } = await read('/v1/rollouts');
  expect(data.map(({ cause }: { cause: object }) => cause)).toEqual([
    { type: 'variables' },
    { type: 'environment', key: 'prod' },
  ]);
  for (const { id } of data) await arranged(as().post(`/v1/rollouts/${id}/undo`));
  await carryOut();
  const restored = await read('/v1/export');
  expect([restored.environments, restored.variables]).toEqual([environments, SET.variables]);
  const monitors = (await read('/v1/monitors?limit=10')).data;
  const home = monitors.find(({ key }: { key: string }) => key === 'home@prod-eu-west');
  expect(home.inherited.variables).toEqual({ base: 'https://prod.example', path: 'home' });
});

test('an applied set may rename a variable in an environment and its monitors in one request', async () => {
  await apply(SET);
  const rename = (text: string) => JSON.parse(JSON.stringify(SET).replaceAll('base', text));
  const renamed = await apply(rename('host'));
  expect(renamed.summary).toMatchObject({ update: 5, failed: 0 });
  const outside = {
    set: 'other',
    monitors: [{ key: 'o', name: 'O', url: '{{host}}/', environment: 'prod' }],
  };
  await apply(outside);
  const refused = await apply({ ...rename('origin'), dryRun: true });
  expect(problemsOf(refused)).toMatchObject([
    { code: 'unknown_variable', message: expect.stringContaining('(“O”)') },
    { path: 'url', code: 'unknown_variable' },
  ]);
});

test('prune deletes the monitors of combinations that a matrix no longer has, and then their environment', async () => {
  await apply(SET);
  const [home, cart] = SET.monitors;
  const less = {
    ...SET,
    environments: [SET.environments[0]],
    monitors: [
      { ...home, matrix: { environment: ['staging'], region: ['eu-west'] } },
      { ...cart, dependsOn: [] },
    ],
    prune: true,
  };
  const pruned = await apply(less);
  expect(actionsOf(pruned).filter((line) => line.includes('delete'))).toEqual([
    'home@prod-eu-west delete done',
    'prod delete done',
  ]);
});

test('an invalid matrix is refused with the list of valid keys, and other objects are applied', async () => {
  const [home, cart] = SET.monitors;
  const monitors = [
    home,
    { ...cart, dependsOn: ['home'] },
    { key: 'bad', name: 'Bad', url: 'https://x.example/', matrix: { zone: ['a'], region: [] } },
  ];
  const applied = await apply({ ...SET, monitors });
  expect(applied.summary).toMatchObject({ create: 6, failed: 2 });
  expect(problemsOf(applied)).toMatchObject([
    {
      path: 'dependsOn[0]',
      message: expect.stringContaining('home@staging-eu-west, home@prod-eu-west'),
    },
    { path: 'matrix.zone', code: 'unknown_field' },
    { path: 'matrix.region', code: 'wrong_type' },
  ]);
});

test('a set whose matrices expand to too many objects is refused before anything is planned', async () => {
  const list = (count: number) => Array.from({ length: count }, (_, at) => `e${at}`);
  const monitors = list(41).map((key) => ({
    key,
    name: key,
    url: 'https://x.example/',
    matrix: { environment: list(50) },
  }));
  const refused = await as().post('/v1/apply').send({ monitors });
  expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
  expect(refused.body.errors[0].message).toContain('2050');
});

test('invalid and repeated variables in a set are refused with their paths', async () => {
  const variables = [
    { name: 'a', value: 1 },
    { name: 'b', value: 'x' },
    { name: 'b', value: 'y' },
  ];
  expect(problemsOf(await apply({ variables }))).toMatchObject([
    { path: 'variables[0].value', code: 'wrong_type' },
    { path: 'variables[2].name', code: 'duplicate_name' },
  ]);
});
