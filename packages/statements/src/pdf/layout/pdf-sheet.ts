import type { Font } from 'fontkit';
import { fromOptionalPackage } from './optional-packages.js';
import { type Face, faces, printedFonts } from './printed-font.js';

/** A4 in points, and its margins. */
export const page = { width: 595.28, height: 841.89, margin: 40, bottom: 46 } as const;
/** The width between the margins. */
export const contentWidth: number = page.width - 2 * page.margin;

/** The largest number of widths that are kept. Most words of a document repeat. */
const mostWidths = 10_000;

export interface PdfProperties {
  readonly title: string;
  readonly subject: string;
  /** Such as `nl`. */
  readonly language: string;
  /** `YYYY-MM-DD`: the date of the content, not of printing, so that output is reproducible. */
  readonly date: string;
}

const loadPdfKit = () => import('pdfkit');
let pdfkit: ReturnType<typeof loadPdfKit> | undefined;

/** A PDF under construction: measures lines of text and sets them, at coordinates in points. */
export class PdfSheet {
  readonly #document: PDFKit.PDFDocument;
  readonly #chunks: Buffer[] = [];
  readonly #finished: Promise<void>;
  readonly #widths = new Map<string, number>();

  private constructor(document: PDFKit.PDFDocument, fonts: Readonly<Record<Face, Font>>) {
    this.#document = document;
    for (const face of faces) {
      // PDFKit takes parsed fonts; its types do not say so yet.
      document.registerFont(face, fonts[face] as unknown as PDFKit.Mixins.PDFFontSource);
    }
    this.#finished = new Promise((resolve, reject) => {
      document.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
      document.on('end', resolve);
      document.on('error', reject);
    });
  }

  static async create({ title, subject, language, date }: PdfProperties): Promise<PdfSheet> {
    // Loaded only here, because it takes a third of a second, and programs that only read files do
    // not need it.
    pdfkit ??= fromOptionalPackage(loadPdfKit);
    const { default: PDFDocument } = await pdfkit;
    const fonts = await printedFonts();
    return new PdfSheet(
      new PDFDocument({
        size: [page.width, page.height],
        margin: 0,
        autoFirstPage: false,
        // No default font: PDFKit would parse the metrics of Helvetica for each document.
        font: '',
        lang: `${language}-BE`,
        displayTitle: true,
        info: {
          Title: title,
          Subject: subject,
          Creator: 'Accounting Data Exchange',
          Producer: 'PDFKit',
          CreationDate: new Date(`${date}T00:00:00Z`),
        },
      }),
      fonts,
    );
  }

  addPage(): void {
    this.#document.addPage();
  }

  /** The width of a text in points. */
  widthOf(text: string, { face, size }: TextStyle): number {
    const key = `${face} ${text}`;
    let width = this.#widths.get(key);
    if (width === undefined) {
      width = this.#document.font(face, 1000).widthOfString(text);
      if (this.#widths.size >= mostWidths) this.#widths.clear();
      this.#widths.set(key, width);
    }
    return (width * size) / 1000;
  }

  /** @param x the start of the line, or its end if it is right-aligned */
  setLine(text: string, x: number, y: number, style: TextStyle, align: 'left' | 'right' = 'left') {
    if (text === '') return;
    const width = this.widthOf(text, style);
    const left = align === 'left' ? x : x - width;
    this.#document.font(style.face, style.size).fillColor(style.colour);
    // PDFKit would measure the text and count its words again.
    const measured = { textWidth: width, wordCount: 1 };
    this.#document.text(text, left, y, { lineBreak: false, ...measured });
  }

  fill(x: number, y: number, width: number, height: number, colour: string): void {
    this.#document.rect(x, y, width, height).fill(colour);
  }

  rule(y: number, thickness: number, colour: string): void {
    this.#document.moveTo(page.margin, y).lineTo(page.width - page.margin, y);
    this.#document.lineWidth(thickness).stroke(colour);
  }

  /** Ends the document and returns its bytes. */
  async finish(): Promise<Uint8Array> {
    this.#document.end();
    await this.#finished;
    return new Uint8Array(Buffer.concat(this.#chunks));
  }
}

/** The style of a line of text. Sizes and leading are points. */
export interface TextStyle {
  readonly face: Face;
  readonly size: number;
  /** The distance from one line to the next. */
  readonly leading: number;
  readonly colour: string;
}

const ink = '#1a1a1a';
const grey = '#595959';

export const textStyles = {
  title: { face: 'bold', size: 16, leading: 21, colour: ink },
  subtitle: { face: 'bold', size: 10, leading: 14, colour: ink },
  label: { face: 'regular', size: 7.5, leading: 12, colour: grey },
  value: { face: 'regular', size: 8.5, leading: 12, colour: ink },
  strongValue: { face: 'bold', size: 8.5, leading: 12, colour: ink },
  columnTitle: { face: 'bold', size: 7.5, leading: 10, colour: ink },
  body: { face: 'regular', size: 8, leading: 10, colour: ink },
  strong: { face: 'bold', size: 8, leading: 10, colour: ink },
  quiet: { face: 'regular', size: 7.5, leading: 9.5, colour: grey },
  footer: { face: 'regular', size: 7, leading: 9, colour: grey },
} as const satisfies Readonly<Record<string, TextStyle>>;
