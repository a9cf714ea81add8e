/** What stands in place of a page whose subject cannot be read: it is gone, or the reading failed. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiProblem } from '../data/api';
import { EmptyState } from './empty-state';
import { PageHead } from './page-head';
import { ProblemNote } from './problem-note';

interface PageProblemProps {
  readonly problem: ApiProblem;
  /** The kind of thing, like "Monitor". */
  readonly what: string;
  /** Path of the page that lists them. */
  readonly list: string;
}

export function PageProblem({ problem, what, list }: PageProblemProps) {
  if (problem.status !== 404) return <ProblemNote problem={problem} />;
  return (
    <>
      <PageHead title={`${what} not found`} />
      <EmptyState
        title="Nothing to show"
        text="It may have been deleted, or the URL is mistyped."
        action={
          <Button component={Link} to={list}>
            Go back to the list
          </Button>
        }
      />
    </>
  );
}
