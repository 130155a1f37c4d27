import { barX, gridX, plot, ruleX, text } from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { Table } from './table.js';

type PlotOptions = NonNullable<Parameters<typeof plot>[0]>;

interface Value {
  readonly row: string;
  readonly column: string;
  readonly value: number;
}

const colours = ['#2b6cb0', '#c05621', '#718096'];

/** Draws columns of a table as bars in an SVG image, a group for each row, with a goal. */
export function drawBars(
  table: Table,
  { columns, label, goal }: { columns: readonly string[]; label: string; goal?: number },
): string {
  const values = valuesOf(table, columns);
  const place = { x: 'value', y: 'column', fy: 'row' };
  const highest = Math.max(goal ?? 0, ...values.map(({ value }) => value));
  return toSvg({
    height: 60 + values.length * 18 + table.rows.length * 8,
    marginLeft: 220,
    marginBottom: 40,
    x: { label, domain: [0, highest * 1.3] },
    y: { axis: null, domain: columns },
    fy: { label: null, padding: 0.25, domain: table.rows.map(([row]) => row) },
    color: { domain: columns, range: colours },
    marks: [
      gridX(),
      barX(values, { ...place, fill: 'column' }),
      text(values, {
        ...place,
        text: ({ value, column }: Value) =>
          columns.length > 1 ? `${value} ${column}` : String(value),
        dx: 4,
        textAnchor: 'start',
      }),
      ...(goal === undefined ? [] : [ruleX([goal], { stroke: '#c53030', strokeDasharray: '4 3' })]),
    ],
  });
}

function valuesOf({ head, rows }: Table, columns: readonly string[]): Value[] {
  return rows.flatMap((cells) =>
    columns.map((column) => ({
      ...{ row: cells[0] ?? '', column },
      value: numberOf(cells[indexOf(head, column)] ?? ''),
    })),
  );
}

/** @throws Error if there is no such column */
function indexOf(head: readonly string[], column: string): number {
  const index = head.indexOf(column);
  if (index === -1) throw new Error(`There is no column ${column}`);
  return index;
}

/** @throws Error if a text is not a number */
function numberOf(text: string): number {
  const value = Number(text.replaceAll(',', ''));
  if (text === '' || Number.isNaN(value)) throw new Error(`${text} is not a number`);
  return value;
}

function toSvg(options: PlotOptions): string {
  const { document } = parseHTML('<html><body></body></html>');
  const style = { background: 'white', color: '#1a202c', fontSize: '12px' };
  const figure = plot({ document, width: 760, style, className: 'plot', ...options });
  figure.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return `${figure.outerHTML}\n`;
}
