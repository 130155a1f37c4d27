import fc from 'fast-check';

// Loaded for every test file. The short part makes the same random cases in each run.
const isShort =
  process.env['ADX_TEST_ALL'] === undefined && process.env['ADX_TEST_PROVE'] === undefined;
if (isShort) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_129 });
