/** Characters that no file system or header takes in a file name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unusable = /[\u0000-\u001f\u007f-\u009f/\\]/gu;

/**
 * The `Content-Disposition` that saves a download under a name (RFC 6266): the name as it is for
 * those who read RFC 5987, and one in plain ASCII for the others.
 *
 * @example contentDisposition('relevé.pdf')
 * // attachment; filename="relev_.pdf"; filename*=UTF-8''relev%C3%A9.pdf
 */
export function contentDisposition(fileName: string): string {
  const name = fileName.replace(/\p{Surrogate}/gu, '\ufffd').replace(unusable, '_');
  // A percent sign too: some take it for an escape.
  const plain = name.replace(/[^ -~]|["%]/gu, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
