/** Paths, and the whole text of each file. */
export type FileSet = ReadonlyMap<string, string>;
