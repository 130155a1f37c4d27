import { bundleClient, sizeBudget } from './bundle.js';

const { gzippedSize } = await bundleClient();
process.stdout.write(`${gzippedSize} of ${sizeBudget} bytes, gzipped, openapi-fetch included\n`);
process.exitCode = gzippedSize < sizeBudget ? 0 : 1;
