export { renderPayrollPdf } from './pdf/render-payroll-pdf.js';
export {
  type RenderOptions,
  type RenderStatementOptions,
  renderStatementPdf,
} from './pdf/render-statement-pdf.js';
export { renderTextPdf, type TextBlock, type TextDocument } from './pdf/render-text-pdf.js';
export type { PrintedLanguage } from './texts/printed-texts.js';
