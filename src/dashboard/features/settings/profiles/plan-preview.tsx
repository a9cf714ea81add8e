/** Shows which checks a changed profile would change, before it is saved. */
import { Button, List, Text } from '@mantine/core';
import type { Profile, RolloutPlan } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { ProblemNote } from '../../../shared/ui/problem-note';

interface PlanPreviewProps {
  readonly profile: Profile;
  readonly body: object;
}

const SHOWN_MAX = 10;

export function PlanPreview({ profile: { id, version }, body }: PlanPreviewProps) {
  const { mutate, isPending, error, data } = useChange<RolloutPlan>([]);
  const path = `/v1/profiles/${id}?dryRun=true`;
  const show = (): void => mutate({ method: 'PUT', path, body, ifVersion: version });
  return (
    <div>
      <Button variant="default" size="xs" onClick={show} loading={isPending}>
        Show what would change
      </Button>
      {error !== null && <ProblemNote problem={error} />}
      {data !== undefined && <Plan plan={data} />}
    </div>
  );
}

function Plan({ plan: { summary, items, problems } }: { readonly plan: RolloutPlan }) {
  const changed = items.filter(({ changes }) => changes.length > 0);
  const invalid = problems.map(({ id, name, path, message }) => ({
    id,
    name,
    text: `${path} ${message}`,
  }));
  const listed = [
    ...invalid,
    ...changed.map(({ id, name, changes }) => ({
      id,
      name,
      text: changes.map(({ path }) => path).join(', '),
    })),
  ];
  return (
    <div aria-live="polite">
      <Text size="sm" mt="xs">
        {summary.change} of {summary.total} checks would change
        {summary.invalid > 0 && `, and ${summary.invalid} would be invalid`}.
      </Text>
      <List size="sm">
        {listed.slice(0, SHOWN_MAX).map(({ id, name, text }) => (
          <List.Item key={`${id} ${text}`}>
            {name}: {text}
          </List.Item>
        ))}
      </List>
      {listed.length > SHOWN_MAX && (
        <Text size="sm" c="dimmed">
          And {listed.length - SHOWN_MAX} more.
        </Text>
      )}
    </div>
  );
}
