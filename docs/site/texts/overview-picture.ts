// Our own layout, as that of the lifecycle: one for wide pages, and one for phones.

/** A box of the picture, by its middle. */
interface Box {
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly isOurs?: boolean;
}

/** An arrow with what it carries, which is written from this place on. */
interface Arrow {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly label: string;
  readonly at: readonly [x: number, y: number];
}

interface Layout {
  readonly name: string;
  readonly size: readonly [width: number, height: number];
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

const boxWidth = 140;
const boxHeight = 56;
const ours = ['Accounting', 'Data Exchange'];

const layouts: readonly Layout[] = [
  {
    name: 'wide',
    size: [688, 236],
    boxes: [
      { lines: ['Banks'], x: 71, y: 40 },
      { lines: ['Social', 'secretariats'], x: 71, y: 124 },
      { lines: ['Customer'], x: 344, y: 207 },
      { lines: ours, x: 344, y: 82, isOurs: true },
      { lines: ['Your software'], x: 617, y: 82 },
    ],
    arrows: [
      { from: [142, 40], to: [270, 72], label: 'CODA', at: [190, 42] },
      { from: [142, 124], to: [270, 94], label: 'CODB', at: [190, 132] },
      { from: [344, 178], to: [344, 114], label: 'signs mandates', at: [354, 150] },
      { from: [415, 72], to: [543, 72], label: 'files, mandates', at: [424, 63] },
      { from: [546, 94], to: [418, 94], label: 'customers', at: [440, 113] },
    ],
  },
  {
    name: 'tall',
    size: [312, 372],
    boxes: [
      { lines: ['Banks'], x: 71, y: 29 },
      { lines: ['Social', 'secretariats'], x: 241, y: 29 },
      { lines: ours, x: 156, y: 150, isOurs: true },
      { lines: ['Customer'], x: 71, y: 343 },
      { lines: ['Your software'], x: 241, y: 343 },
    ],
    arrows: [
      { from: [92, 58], to: [122, 119], label: 'CODA', at: [58, 92] },
      { from: [220, 58], to: [190, 119], label: 'CODB', at: [214, 92] },
      { from: [71, 314], to: [110, 181], label: 'signs mandates', at: [1, 246] },
      { from: [184, 179], to: [212, 311], label: 'files', at: [164, 256] },
      { from: [246, 314], to: [216, 181], label: 'customers', at: [244, 246] },
    ],
  },
];

/**
 * Returns the picture of the home page as inline SVG, which takes its colours from classes of the
 * page: who brings what, and what of it reaches the software of a partner.
 */
export function overviewPicture(): string {
  return layouts.map(draw).join('\n');
}

function draw({ name, size: [width, height], boxes, arrows }: Layout): string {
  const title =
    'Banks bring CODA files and social secretariats CODB files to the Accounting Data Exchange. The customer signs mandates for this. Your software gets files and mandates, and brings customers.';
  const parts = [...arrows.map(drawArrow), ...boxes.map(drawBox)].join('');
  return `<svg class="overview ${name}" role="img" aria-label="${title}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${parts}</svg>`;
}

function drawBox({ lines, x, y, isOurs }: Box): string {
  const left = x - boxWidth / 2;
  const top = y - boxHeight / 2;
  const texts = lines.map((line, index) => {
    const baseline = y + 5 + (index - (lines.length - 1) / 2) * 19;
    return `<text x="${x}" y="${baseline}" text-anchor="middle" font-size="15">${line}</text>`;
  });
  return `<rect${isOurs ? ' class="ours"' : ''} x="${left}" y="${top}" width="${boxWidth}" height="${boxHeight}" rx="8"/>${texts.join('')}`;
}

function drawArrow({ from: [x, y], to: [endX, endY], label, at }: Arrow): string {
  const angle = Math.round((Math.atan2(endY - y, endX - x) * 180) / Math.PI);
  return `<path class="line" d="M${x} ${y}L${endX} ${endY}"/><path class="head" transform="translate(${endX} ${endY}) rotate(${angle})" d="M2 0l-9 -4.5v9z"/><text class="label" x="${at[0]}" y="${at[1]}" font-size="13">${label}</text>`;
}
