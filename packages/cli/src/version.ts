/** The version of the command; `test/house` holds the package manifests to it. */
export const version = '1.0.0';
