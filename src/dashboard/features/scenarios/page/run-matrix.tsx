/** The last runs as columns, their steps as rows; the newest run is on the right. */
import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Run } from '../../../shared/data/api-types';
import { RUN_STATUS_WORDS } from '../../../shared/text/strings';
import { absolute } from '../../../shared/text/time';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { runAsStatus, StatusIcon } from '../../../shared/ui/status';
import classes from '../runs/runs.module.css';
import { StepMark } from '../runs/step-mark';
import { listStepNames } from '../runs/waterfall';

interface RunMatrixProps {
  readonly scenarioId: string;
  /** The runs as the API lists them, the newest first. */
  readonly runs: readonly Run[];
}

export function RunMatrix({ scenarioId, runs }: RunMatrixProps) {
  const names = listStepNames(runs);
  const columns = [...runs].reverse();
  return (
    <ScrollBox label="Steps of the last runs">
      <table className={classes['matrix']}>
        <thead>
          <tr>
            <th scope="row">
              <Text size="xs" c="dimmed" span>
                Run
              </Text>
            </th>
            {columns.map(({ id, status, queuedAt }) => (
              <th key={id} scope="col">
                <Link
                  to={`/scenarios/${scenarioId}/runs/${id}`}
                  className={classes['head']}
                  aria-label={`Run ${absolute(queuedAt)}: ${RUN_STATUS_WORDS[status]}`}
                  title={`${RUN_STATUS_WORDS[status]}, ${absolute(queuedAt)}`}
                >
                  <StatusIcon status={runAsStatus(status)} />
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row" title={name}>
                {name}
              </th>
              {columns.map((run) => (
                <td key={run.id}>
                  <Cell run={run} name={name} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Cell({ run, name }: { readonly run: Run; readonly name: string }) {
  const step = run.steps.find((candidate) => candidate.name === name);
  return step === undefined ? null : <StepMark status={step.status} isSmall />;
}
