/** The mark of the logo (docs/favicon.svg). */
const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0f766e"/><g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"><path d="M7 12h17M19.5 7.5 24 12l-4.5 4.5"/><path d="M25 20.5H8M12.5 16 8 20.5l4.5 4.5"/></g></svg>';

/** The mark as an address that holds it, so that a page has nothing to load. */
export const markUrl = `data:image/svg+xml,${encodeURIComponent(mark)}`;
