/** Shows that a page is loading. The placeholder has the shape of the page. */
import { Skeleton } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { TEXT } from '../text/strings';
import classes from './page-loading.module.css';

interface PageLoadingProps {
  /** True means that the head of the page is already shown. */
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

/** Returns the shape without filters, because the page's head already shows them. */
function withoutFilters({ filters = 0, columns, ...shape }: PageShape): PageShape {
  return { ...shape, columns: columns.map((rows) => rows.slice(filters)) };
}

interface ShapeProps {
  readonly shape: PageShape;
}

/** The shape of the settings. The list of sections is next to the head and not below it. */
function Settings({ shape, isBelowHead }: ShapeProps & Required<PageLoadingProps>) {
  const [sections = [], content = []] = shape.columns;
  // The introduction of the section is already shown, so its row is left out.
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

/** The shape of the head. Its title is the widest part. */
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

/** A row of equal blocks: its height in pixels, the number of blocks, and the number of blocks on a phone. */
type Row = readonly [height: number, wide?: number, narrow?: number];

interface PageShape {
  /** How the columns share the width. Absent if there is only one column. */
  readonly layout?: 'form' | 'builder' | 'settings' | 'preview';
  /** The breadcrumbs and the title of the page. */
  readonly head: readonly Row[];
  /** The rows below the head, across all columns. */
  readonly above?: readonly Row[];
  /** The number of rows for filters. */
  readonly filters?: number;
  /** The rows below `above`, column by column. */
  readonly columns: readonly (readonly Row[])[];
}

const TITLE: Row = [35];
const TRAIL: Row = [25];
const ABOUT: Row = [20];
const FIELDS: readonly Row[] = [[260], [150], [330], [150]];

const times = (count: number, row: Row): readonly Row[] => Array.from({ length: count }, () => row);

const FORM: PageShape = {
  layout: 'form',
  head: [TRAIL, TITLE],
  columns: [[[36], ...FIELDS], [[190]]],
};
const LIST: PageShape = { head: [TITLE], columns: [times(5, [86])] };
const CHECK_FIGURES: readonly Row[] = [[86, 4, 2], [36], [90, 6, 2], [416]];

/** The shape of each page by the pattern of its path. The first pattern that matches is used. */
const SHAPES: readonly (readonly [RegExp, PageShape])[] = [
  [/^\/$/, { head: [TITLE], columns: [[[62], [112, 4, 2], [133], [150]]] }],
  [
    /^\/(?:checks|monitors|scenarios)$/,
    { head: [TITLE], columns: [[[58, 7, 3], [60, 4, 1], [30], ...times(8, [51])]] },
  ],
  [/^\/monitors\/(?:new|[^/]+\/edit)$/, FORM],
  [
    /^\/scenarios\/(?:new|[^/]+\/edit)$/,
    {
      layout: 'builder',
      head: [TRAIL, TITLE],
      above: [[36], [190], [140]],
      columns: [times(4, [56]), [[420]], [[240]]],
    },
  ],
  [
    /^\/scenarios\/[^/]+\/runs\//,
    { head: [TRAIL, TITLE, ABOUT], columns: [[[84], ...times(4, [44])]] },
  ],
  [/^\/monitors\/[^/]+\/results\//, { head: [TRAIL, TITLE, ABOUT], columns: [[[90], [240]]] }],
  [/^\/monitors\//, { head: [TRAIL, TITLE, ABOUT, ABOUT], columns: [[[36], ...CHECK_FIGURES]] }],
  [/^\/scenarios\//, { head: [TRAIL, TITLE, ABOUT], columns: [CHECK_FIGURES] }],
  [/^\/incidents$/, { head: [TITLE], filters: 1, columns: [[[60, 3, 1], ...times(4, [86])]] }],
  [/^\/incidents\//, { head: [TRAIL, TITLE], columns: [[[92, 3, 1], [150], [400]]] }],
  [/^\/regions$/, { head: [TITLE, ABOUT], columns: [times(2, [120])] }],
  [/^\/status-pages\/[^/]+\/posts$/, { head: [TRAIL, TITLE], columns: [times(4, [86])] }],
  [/^\/status-pages\//, { ...FORM, layout: 'preview', columns: [FIELDS, [[420]]] }],
  [
    /^\/settings\//,
    { layout: 'settings', head: [TITLE], columns: [times(10, [37]), [[44], ...times(3, [76])]] },
  ],
];

/** Returns the blocks that a page shows while it loads. */
function findShape(path: string): PageShape {
  return SHAPES.find(([pattern]) => pattern.test(path))?.[1] ?? LIST;
}
