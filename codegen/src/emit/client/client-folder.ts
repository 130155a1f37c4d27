/** Where the client's generated files stand. */
export const clientFolder = 'packages/client/src/generated';
