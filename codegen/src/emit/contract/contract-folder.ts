/** Where the contract's generated files stand. */
export const contractFolder = 'packages/contract/src/generated';
