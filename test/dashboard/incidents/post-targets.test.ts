/** Tests which status pages offer a post about an incident. */
import { listPostTargets } from '../../../src/dashboard/features/incidents/post-targets';

const INCIDENT = { resourceId: 'mon_1', identityProvider: null, state: 'open' } as const;
const page = (id: string, ...checks: readonly string[]) => ({
  id,
  title: `Page ${id}`,
  groups: checks.map((check) => ({ name: 'a', items: [{ id: check, name: check }] })),
});

test('an update can be posted on each page that contains the check, with the check and a state filled in', () => {
  const pages = [page('stp_1', 'mon_2', 'mon_1'), page('stp_2', 'mon_2'), page('stp_3', 'mon_1')];
  expect(listPostTargets(INCIDENT, pages)).toEqual(
    ['stp_1', 'stp_3'].map((id) => ({
      title: `Page ${id}`,
      to: `/status-pages/${id}/posts/new`,
      search: { affected: 'mon_1', state: 'investigating' },
    })),
  );
  const [resolved] = listPostTargets({ ...INCIDENT, state: 'resolved' }, pages);
  expect(resolved?.search.state).toBe('resolved');
});

test('an update about an identity provider affects the checks that could not sign in', () => {
  const check = (resourceId: string) => ({
    resourceType: 'monitor' as const,
    resourceId,
    resourceName: resourceId,
  });
  const checks = [check('mon_1'), check('mon_3')];
  const identityProvider = {
    tokenUrl: 'https://id.example.com/token',
    problem: 'refused' as const,
    reason: 'Wrong password.',
    checkCount: 2,
    checks,
  };
  const pages = [page('stp_1', 'mon_3', 'mon_2', 'mon_1')];
  const incident = { ...INCIDENT, resourceId: 'idp_1', identityProvider };
  expect(listPostTargets(incident, pages).map(({ search }) => search.affected)).toEqual([
    'mon_3,mon_1',
  ]);
});
