/**
 * What a payroll file may take of a machine. A month of a large employer has a few thousand lines
 * and stays far below each of these.
 */
export const xmlLimits = {
  /** Bytes of a file: 25 MiB. */
  fileBytes: 25 * 1024 * 1024,
  /** Elements within elements; a payroll file has seven levels. */
  depth: 16,
  /** Elements of a file. A booking line takes eight or nine. */
  elements: 500_000,
  /** Characters of a start tag, with all its attributes. */
  tagLength: 4096,
} as const;
