import { mkdir } from 'node:fs/promises';
import { createClient } from '@adx/client';

const { ADX_URL = '', ADX_API_KEY = '', ADX_USERNAME = '', ADX_PASSWORD = '' } = process.env;
const client = createClient({
  baseUrl: ADX_URL,
  apiKey: ADX_API_KEY,
  username: ADX_USERNAME,
  password: ADX_PASSWORD,
});

await mkdir('statements', { recursive: true });
for await (const file of client.codaFiles.pending()) {
  await file.save(`statements/${file.fileName}`);
  file.acknowledge();
  console.log(file.fileName);
}
console.log('No more new files');
