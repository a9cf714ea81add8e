/** Texts of the pipelines. */
export const TEXT = {
  about:
    'A pipeline lets the CI runs of a repository in without a stored key: each run exchanges its ID token for an API key of 15 minutes. The job names the pipeline by its id, as KEEPWATCH_PIPELINE.',
  add: 'Add pipeline',
  noneTitle: 'No pipelines yet',
  none: 'Add one to use Keepwatch in GitHub Actions or GitLab CI without a secret.',
  everyBranch: 'every branch',
} as const;
