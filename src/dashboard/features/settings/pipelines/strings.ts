/** Texts of the pipelines. */
export const TEXT = {
  about:
    'CI runs of a repository can use Keepwatch without a stored API key: each run exchanges its ID token for a key that is valid for 15 minutes. Set KEEPWATCH_PIPELINE in the job to the id of the pipeline.',
  add: 'Add pipeline',
  noneTitle: 'No pipelines yet',
  none: 'Add one to use Keepwatch in GitHub Actions or GitLab CI without a secret.',
  everyBranch: 'every branch',
} as const;
