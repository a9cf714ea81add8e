/** Edits an existing scenario. */
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Scenario } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { PageLoading } from '../../../shared/loading/page-loading';
import { PageHead } from '../../../shared/ui/page-head';
import { PageProblem } from '../../../shared/ui/page-problem';
import { Trail } from '../../../shared/ui/trail';
import { WritersOnly } from '../../../shared/ui/writers-only';
import { toDraft } from '../draft/draft';
import { SCENARIO_WRITERS } from '../strings';
import { ScenarioForm } from './scenario-form';

export function EditScenarioPage() {
  const { scenarioId = '' } = useParams({ strict: false });
  const { data, error } = useRead<Scenario>(`/v1/scenarios/${scenarioId}`);
  const [first, setFirst] = useState<Scenario | null>(null);
  // While the user edits, the version that the form opened with is kept, even if a newer version is
  // read.
  if (first === null || first.id !== scenarioId) {
    if (data !== undefined && data.id === scenarioId) setFirst(data);
    if (error === null) return <PageLoading />;
    return (
      <PageProblem
        problem={error}
        what="Scenario"
        trail={[{ to: '/scenarios', label: 'Scenarios' }]}
      />
    );
  }
  return (
    <>
      <Trail
        pages={[
          { to: '/scenarios', label: 'Scenarios' },
          { to: `/scenarios/${first.id}`, label: first.name },
        ]}
      />
      <PageHead title={`Edit ${first.name}`} />
      <WritersOnly {...SCENARIO_WRITERS}>
        <ScenarioForm
          key={first.id}
          initial={toDraft({ ...first, enabled: undefined })}
          saved={first}
        />
      </WritersOnly>
    </>
  );
}
