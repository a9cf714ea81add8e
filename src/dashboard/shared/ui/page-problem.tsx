/** Shown instead of a page whose subject cannot be read. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiProblem } from '../data/api';
import { isUnreached } from '../data/queries';
import { PageLoading } from '../loading/page-loading';
import { ReadProblem } from '../loading/unread';
import { EmptyState } from './empty-state';
import { PageHead } from './page-head';
import { Trail, type TrailStep } from './trail';

interface PageProblemProps {
  readonly problem: ApiProblem;
  /** The kind of object that the page shows, like "Monitor". */
  readonly what: string;
  /** The pages above this page. The last one is the link back. */
  readonly trail: readonly TrailStep[];
}

export function PageProblem({ problem, what, trail }: PageProblemProps) {
  if (isUnreached(problem)) return <PageLoading />;
  if (problem.status !== 404)
    return (
      <>
        <Trail pages={trail} />
        <PageHead title={what} />
        <ReadProblem problem={problem} />
      </>
    );
  const back = trail.at(-1);
  return (
    <>
      <Trail pages={trail} />
      <PageHead title={`${what} not found`} />
      <EmptyState
        title="Nothing to show"
        text="It may have been deleted, or the URL is mistyped."
        action={
          back !== undefined && (
            <Button component={Link} to={back.to}>
              Go to {back.label.toLowerCase()}
            </Button>
          )
        }
      />
    </>
  );
}
