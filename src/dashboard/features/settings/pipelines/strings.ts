/** Texts of the pipelines. */
export const TEXT = {
  about:
    'CI runs of a repository can use Keepwatch without a stored API key: each run exchanges its ID token for a key that is valid for 15 minutes.',
  add: 'Add pipeline',
  noneTitle: 'No pipelines yet',
  none: 'Add one to use Keepwatch in GitHub Actions or GitLab CI without a secret.',
  setUp: 'Set up',
  everyBranch: 'every branch',
} as const;
