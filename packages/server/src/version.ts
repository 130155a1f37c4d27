/** The version of the server and of the sandbox; `test/house` holds the package manifests to it. */
export const version = '1.0.0';
