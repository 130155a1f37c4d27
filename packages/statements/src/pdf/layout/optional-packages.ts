/**
 * Loads something from a package that is needed only for PDFs, and that npm does not install by
 * itself.
 *
 * @throws Error with the command that installs these packages, if one is missing
 */
export async function fromOptionalPackage<Loaded>(
  load: () => Loaded | Promise<Loaded>,
): Promise<Loaded> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && missing.has(error.code))) throw error;
    throw new Error(
      '@adx/statements/pdf needs pdfkit, fontkit and dejavu-fonts-ttf. Install them: npm install pdfkit fontkit dejavu-fonts-ttf',
      { cause: error },
    );
  }
}

/** The codes with which Node says that a package is missing, for `import` and `require.resolve`. */
const missing = new Set<unknown>(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);
