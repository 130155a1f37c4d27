/**
 * A script for the start of each page, as JavaScript. Browsers may block storage, for example with
 * cookies, and then throw at each use: Redoc shows nothing there, and VitePress is never dark. The
 * pages get storage that lasts as long as they do.
 */
export const storageScript = `
for (const name of ['localStorage', 'sessionStorage']) {
  try {
    window[name].length;
  } catch {
    const kept = new Map();
    const value = {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, text) => kept.set(key, String(text)),
      removeItem: (key) => kept.delete(key),
    };
    Object.defineProperty(window, name, { value });
  }
}
`;
