/** Breadcrumbs: the pages above the current page, outermost first. The heading shows the current page itself. */
import { Anchor, Box, Breadcrumbs } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import classes from './trail.module.css';

export interface TrailStep {
  readonly to: string;
  readonly label: string;
  readonly search?: Readonly<Record<string, string>>;
}

export function Trail({ pages }: { readonly pages: readonly TrailStep[] }) {
  return (
    <Box component="nav" aria-label="Breadcrumbs" mb={1} fz="sm">
      <Breadcrumbs separatorMargin={6}>
        {pages.map(({ to, label, search = {} }) => (
          <Anchor
            key={label}
            component={Link}
            to={to}
            search={search as never}
            inherit
            className={classes['step'] ?? ''}
            truncate="end"
            maw="min(60vw, 24rem)"
            title={label}
          >
            {label}
          </Anchor>
        ))}
      </Breadcrumbs>
    </Box>
  );
}
