/** Tests the source of a run, as CI systems describe it in their variables. */
import { readRunSource } from '../../src/cli/ci-source';

const CASES: readonly [string, Record<string, string>, object][] = [
  [
    'github',
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_HEAD_REF: 'feature',
      GITHUB_REF_NAME: '7/merge',
      GITHUB_SHA: 'abc',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_RUN_ID: '42',
      GITHUB_ACTOR: 'ada',
    },
    {
      repository: 'acme/shop',
      branch: 'feature',
      commit: 'abc',
      url: 'https://github.com/acme/shop/actions/runs/42',
      actor: 'ada',
    },
  ],
  [
    'gitlab',
    {
      GITLAB_CI: 'true',
      CI_PROJECT_PATH: 'acme/shop',
      CI_COMMIT_REF_NAME: 'main',
      CI_COMMIT_SHA: 'abc',
      CI_JOB_URL: 'https://gitlab.example.com/acme/shop/-/jobs/1',
      GITLAB_USER_LOGIN: 'ada',
    },
    {
      repository: 'acme/shop',
      branch: 'main',
      commit: 'abc',
      url: 'https://gitlab.example.com/acme/shop/-/jobs/1',
      actor: 'ada',
    },
  ],
  [
    'circleci',
    {
      CIRCLECI: 'true',
      CIRCLE_PROJECT_USERNAME: 'acme',
      CIRCLE_PROJECT_REPONAME: 'shop',
      CIRCLE_BRANCH: 'main',
      CIRCLE_SHA1: 'abc',
      CIRCLE_BUILD_URL: 'https://circleci.com/gh/acme/shop/1',
    },
    {
      repository: 'acme/shop',
      branch: 'main',
      commit: 'abc',
      url: 'https://circleci.com/gh/acme/shop/1',
    },
  ],
  [
    'jenkins',
    {
      JENKINS_URL: 'https://ci.example.com/',
      GIT_URL: 'https://ada:token@git.example.com/shop.git',
      GIT_BRANCH: 'origin/main',
      GIT_COMMIT: 'abc',
      BUILD_URL: 'https://ci.example.com/job/shop/1/',
    },
    {
      repository: 'https://git.example.com/shop.git',
      branch: 'origin/main',
      commit: 'abc',
      url: 'https://ci.example.com/job/shop/1/',
    },
  ],
  [
    'buildkite',
    {
      BUILDKITE: 'true',
      BUILDKITE_REPO: 'git@github.com:acme/shop.git',
      BUILDKITE_BRANCH: 'main',
      BUILDKITE_COMMIT: 'abc',
      BUILDKITE_BUILD_URL: 'https://buildkite.com/acme/shop/builds/1',
      BUILDKITE_BUILD_CREATOR: 'Ada',
    },
    {
      repository: 'git@github.com:acme/shop.git',
      branch: 'main',
      commit: 'abc',
      url: 'https://buildkite.com/acme/shop/builds/1',
      actor: 'Ada',
    },
  ],
];

it.each(CASES)(
  'the pipeline variables of %s are read without passwords in URLs',
  (provider, environment, source) => {
    expect(readRunSource(environment)).toEqual({ provider, ...source });
  },
);

it('a run outside a CI pipeline has no source, and a source omits values that the pipeline does not set', () => {
  expect(readRunSource({ PATH: '/bin' })).toBeNull();
  expect(readRunSource({ GITHUB_ACTIONS: 'true', GITHUB_SHA: '' })).toEqual({ provider: 'github' });
  expect(readRunSource({ JENKINS_URL: 'x', BUILD_URL: 'javascript:alert(1)' })).toEqual({
    provider: 'jenkins',
  });
});
