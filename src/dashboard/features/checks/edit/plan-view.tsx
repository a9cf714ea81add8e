/** The plan of an edit: each change with the number of its checks, and every problem. */
import { Alert, List, Stack, Text } from '@mantine/core';
import type { RolloutPlan } from '../../../shared/data/api-types';
import { countChecks, sumUpPlan } from '../../../shared/rollouts/rollout-words';

const NAMES_SHOWN = 5;
const PROBLEMS_SHOWN = 20;

export function PlanView({ plan }: { readonly plan: RolloutPlan }) {
  const { summary, problems } = plan;
  return (
    <Stack gap="sm">
      <Text role="status">
        {summary.change === 0 ? 'No check changes.' : `${countChecks(summary.change)} will change.`}
        {summary.unchanged > 0 && ` ${summary.unchanged} stay as they are.`}
      </Text>
      <List size="sm" spacing={6}>
        {sumUpPlan(plan).map(({ sentence, names }) => (
          <List.Item key={sentence}>
            <b>{countChecks(names.length)}</b>: {sentence}
            <Text size="xs" c="dimmed">
              {formatNames(names)}
            </Text>
          </List.Item>
        ))}
      </List>
      {problems.length > 0 && (
        <Alert role="alert" color="red" variant="outline" title="Nothing can be changed yet">
          <List size="sm">
            {problems.slice(0, PROBLEMS_SHOWN).map(({ id, name, path, message }) => (
              <List.Item key={`${id} ${path} ${message}`}>
                <b>{name === '' ? id : name}</b>: {path} {message}
              </List.Item>
            ))}
          </List>
          {problems.length > PROBLEMS_SHOWN && `and ${problems.length - PROBLEMS_SHOWN} more`}
        </Alert>
      )}
    </Stack>
  );
}

function formatNames(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return names.slice(0, NAMES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
