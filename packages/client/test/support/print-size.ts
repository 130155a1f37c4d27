import { bundleClient, sizeBudget } from './bundle.js';

const { main, listing, download, pending, upload, logging } = await bundleClient();
process.stdout.write(
  `${main.gzippedSize} of ${sizeBudget} bytes, gzipped, openapi-fetch included
${listing.gzippedSize} bytes more when files or uploads are first listed
${download.gzippedSize} bytes more when the first file is downloaded
${pending.gzippedSize} bytes more for the first pending file
${upload.gzippedSize} bytes more when the first file is uploaded, aws4fetch included
${logging.gzippedSize} bytes more with a logger
`,
);
process.exitCode = main.gzippedSize < sizeBudget ? 0 : 1;
