/** The command of the scheduled pipelines under examples/pipelines. */
export const PIPELINE_COMMAND = 'sh ci/report-job.sh ./nightly.sh';
