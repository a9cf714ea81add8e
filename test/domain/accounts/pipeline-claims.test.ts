/** Which runs a pipeline lets in, by what their ID tokens say. */
import { type Claims, letsIn } from '../../../src/domain/accounts/pipeline-claims';

const GITHUB: Claims = {
  sub: 'repo:acme/shop:ref:refs/heads/main',
  repository: 'acme/shop',
  repository_owner: 'acme',
  ref: 'refs/heads/main',
  ref_type: 'branch',
  event_name: 'push',
};
const GITLAB: Claims = {
  sub: 'project_path:acme/web/shop:ref_type:branch:ref:main',
  project_path: 'acme/web/shop',
  ref: 'main',
  ref_type: 'branch',
  pipeline_source: 'push',
};
const SERVICES = [
  ['GitHub', GITHUB, 'acme/shop'],
  ['GitLab', GITLAB, 'acme/web/shop'],
] as const;

describe.each(SERVICES)('of %s', (_service, claims, repository) => {
  test('a run of the repository is let in, on every branch or on the one that is named', () => {
    expect(letsIn({ repository, branch: null }, claims)).toBe(true);
    expect(letsIn({ repository, branch: 'main' }, claims)).toBe(true);
    const feature = { ...claims, ref: String(claims['ref']).replace('main', 'feature/main') };
    expect(letsIn({ repository, branch: null }, feature)).toBe(true);
    expect(letsIn({ repository, branch: 'main' }, feature)).toBe(false);
    expect(letsIn({ repository, branch: 'feature/main' }, feature)).toBe(true);
  });

  test('upper and lower case of the repository are the same, and those of the branch are not', () => {
    expect(letsIn({ repository: repository.toUpperCase(), branch: 'main' }, claims)).toBe(true);
    expect(letsIn({ repository, branch: 'Main' }, claims)).toBe(false);
  });

  const name = 'repository' in claims ? 'repository' : 'project_path';
  test.each<[string, unknown]>([
    ['is of another repository', 'acme/other'],
    ['is of a repository whose name begins like it', `${repository}-fork`],
    ['is of a repository whose name ends like it', `evil/${repository}`],
    ['is of a repository below it', `${repository}/sub`],
    ['names it in a list', [repository]],
    ['names it in an object', { toString: () => repository }],
    ['names it with a blank', `${repository} `],
    ['has an empty name', ''],
    ['has null for a name', null],
    ['has a number for a name', 7],
    ['names none', undefined],
  ])('a run that %s is not let in', (_what, value) => {
    expect(letsIn({ repository, branch: null }, { ...claims, [name]: value })).toBe(false);
  });

  test.each<[string, Claims]>([
    ['a tag of that name', { ref_type: 'tag', ref: 'refs/tags/main' }],
    ['a tag, with the name of a branch', { ref_type: 'tag' }],
    ['a pull request', { ref: 'refs/pull/7/merge' }],
    ['a merge request', { ref: 'refs/merge-requests/7/head' }],
    ['a branch in a list', { ref: ['main', 'refs/heads/main'] }],
    ['an empty branch', { ref: '' }],
    ['no branch', { ref: undefined }],
    ['no type of what it is of', { ref_type: undefined }],
    ['a type in a list', { ref_type: ['branch'] }],
    ['a branch of that name in a folder of heads', { ref: 'refs/heads/refs/heads/main' }],
  ])('a run of %s is none of the branch', (_what, changes) => {
    const changed = { ...claims, ...changes };
    expect(letsIn({ repository, branch: 'main' }, changed)).toBe(false);
    expect(letsIn({ repository, branch: null }, changed)).toBe(true);
  });
});

test.each(['merge_request_event', 'external_pull_request_event'])(
  'a branch of a fork that is called like ours is not ours (%s)',
  (source) => {
    const claims = { ...GITLAB, pipeline_source: source };
    expect(letsIn({ repository: 'acme/web/shop', branch: 'main' }, claims)).toBe(false);
  },
);

test('a token that names two repositories must name ours twice', () => {
  const trusted = { repository: 'acme/shop', branch: null };
  expect(letsIn(trusted, { ...GITHUB, project_path: 'evil/shop' })).toBe(false);
  expect(letsIn(trusted, { ...GITLAB, repository: 'acme/shop' })).toBe(false);
  expect(letsIn(trusted, { ...GITHUB, project_path: 'acme/shop' })).toBe(true);
});

test('a token that names no repository is let in nowhere', () => {
  expect(letsIn({ repository: 'acme/shop', branch: null }, {})).toBe(false);
});
