/** Shows that a page is loading, in the shape of the page. */
import { Skeleton } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { TEXT } from '../text/strings';
import classes from './page-loading.module.css';
import { findShape, type PageShape, type Row } from './page-shapes';

interface PageLoadingProps {
  /** True: the head of the page is already shown. */
  readonly isBelowHead?: boolean;
}

export function PageLoading({ isBelowHead = false }: PageLoadingProps) {
  const { pathname } = useLocation();
  const shape = findShape(pathname);
  return (
    <div role="status" aria-label={TEXT.loading}>
      {shape.layout === 'settings' ? (
        <Settings shape={shape} isBelowHead={isBelowHead} />
      ) : (
        <>
          {!isBelowHead && <Head shape={shape} />}
          {shape.above !== undefined && <Rows rows={shape.above} />}
          <Columns shape={isBelowHead ? withoutFilters(shape) : shape} />
        </>
      )}
    </div>
  );
}

/** The page's head already shows the filters. */
function withoutFilters({ filters = 0, columns, ...shape }: PageShape): PageShape {
  return { ...shape, columns: columns.map((rows) => rows.slice(filters)) };
}

interface ShapeProps {
  readonly shape: PageShape;
}

/** The list of sections is next to the head, not below it. */
function Settings({ shape, isBelowHead }: ShapeProps & Required<PageLoadingProps>) {
  const [sections = [], content = []] = shape.columns;
  // The introduction of the section is already shown too.
  if (isBelowHead) return <Rows rows={content.slice(1)} />;
  return (
    <div className={classes['columns']} data-layout={shape.layout}>
      <Rows rows={sections} />
      <div>
        <Head shape={shape} />
        <Rows rows={content} />
      </div>
    </div>
  );
}

/** The title is the widest part of the head. */
function Head({ shape: { head } }: ShapeProps) {
  return (
    <div className={classes['head']}>
      {[...head.entries()].map(([at, [height]]) => (
        <Skeleton key={at} h={height - 6} my={3} w={`min(100%, ${height * 9}px)`} />
      ))}
    </div>
  );
}

function Columns({ shape: { columns, layout } }: ShapeProps) {
  return (
    <div className={classes['columns']} data-layout={layout}>
      {[...columns.entries()].map(([at, rows]) => (
        <Rows key={at} rows={rows} />
      ))}
    </div>
  );
}

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <div className={classes['rows']}>
      {[...rows.entries()].map(([at, [height, wide = 1, narrow = 1]]) => (
        <div key={at} className={classes['row']} style={buildCounts(wide, narrow)}>
          {Array.from({ length: wide }, (_, block) => block).map((block) => (
            <Skeleton key={block} h={height} />
          ))}
        </div>
      ))}
    </div>
  );
}

function buildCounts(wide: number, narrow: number): CSSProperties {
  const counts: Readonly<Record<string, number>> = { '--wide': wide, '--narrow': narrow };
  return counts;
}
