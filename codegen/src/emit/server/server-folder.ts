/** Where the server's generated files stand. */
export const serverFolder = 'packages/server/src/generated';
